import java.io.PrintWriter;

class Report {
    static void print(Shelf shelf, PrintWriter out) {
        for (int i = 0; i < shelf.size(); i++)
            out.println(shelf.describe(i));
    }
}

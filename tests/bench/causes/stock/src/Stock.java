import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/** Stock.java MOVES OUT: the stock of a store after a day's moves. */
public class Stock {
    public static void main(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Paths.get(args[0]));
        Shelf shelf = new Shelf();
        Moves moves = new Moves(shelf);
        for (int day = 0; day < 6; day++)
            for (String line : lines)
                moves.apply(line);
        try (PrintWriter out = new PrintWriter(args[1])) {
            Report.print(shelf, out);
        }
    }
}

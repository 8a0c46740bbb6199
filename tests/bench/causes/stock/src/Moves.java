/** Reads moves such as "in 12 item7" and applies them. */
class Moves {
    private final Shelf shelf;

    Moves(Shelf shelf) {
        this.shelf = shelf;
    }

    void apply(String line) {
        int first = line.indexOf(' '), second = line.indexOf(' ', first + 1);
        int count = Integer.parseInt(line.substring(first + 1, second));
        String item = line.substring(second + 1);
        if (line.startsWith("in"))
            shelf.put(item, count);
        else
            shelf.take(item, count);
    }
}

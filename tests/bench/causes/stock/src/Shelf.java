import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The quantity of each item. */
class Shelf {
    private final Map<String, Integer> places = new HashMap<>();
    private final List<String> items = new ArrayList<>();
    private final List<long[]> counts = new ArrayList<>();

    private int placeOf(String item) {
        Integer place = places.get(item);
        if (place == null) {
            place = items.size();
            places.put(item, place);
            items.add(item);
            counts.add(new long[2]);
        }
        return place;
    }

    void put(String item, int count) {
        counts.get(placeOf(item))[0] += count;
    }

    boolean take(String item, int count) {
        long[] have = counts.get(placeOf(item));
        if (have[0] < count) {
            have[1]++;
            return false;
        }
        have[0] -= count;
        return true;
    }

    int size() {
        return items.size();
    }

    String describe(int place) {
        long[] have = counts.get(place);
        return items.get(place) + " " + have[0] + " " + have[1];
    }
}

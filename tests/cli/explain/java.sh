# For a Java program the cause names the method and the changed line. The JVM writes its perf map only in recorded
# runs, and pawl removes it.

need java javac perf
[[ $(java -version 2>&1) =~ \"([0-9]+) && ${BASH_REMATCH[1]} -ge 17 ]] || skip 'Java is older than 17'
cat >Shop.java <<'JAVA'
import java.nio.file.*;

class Shop {
  static int find(int[] items, int key) {
    int found = 0;
    for (int turn = 0; turn < 1; turn++)
      for (int i = 0; i < items.length; i++)
        if (items[i] == key)
          found = i;
    return found;
  }

  public static void main(String[] args) throws Exception {
    int[] items = new int[1000];
    for (int i = 0; i < items.length; i++)
      items[i] = i * 7;
    long sum = 0;
    for (int i = 0; i < 100000; i++)
      sum += find(items, i % 1000 * 7);
    String asked = System.getenv("JAVA_TOOL_OPTIONS");
    Files.writeString(Path.of(System.getenv("SEEN")), (asked == null ? "plain" : asked) + "\n", StandardOpenOption.CREATE,
                      StandardOpenOption.APPEND);
    System.out.println(sum);
  }
}
JAVA
echo 'build: javac -d classes Shop.java' >pawl.yaml
mk_scenario shop <<'YAML'
target:
  command: [java, -XX:+UseSerialGC, "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Shop.find", -cp, classes, Shop]
  environment: { SEEN: "${tmp}/seen" }
cleanup: cp "${tmp}/seen" seen
measure: { runs: 5, budget: 60s }
gates: { task-clock: +15% }
YAML
mk_repo classes
sed -i 's/turn < 1/turn < 6/' Shop.java
maps() { find /tmp -maxdepth 1 -name 'perf-*.map' -newer scenarios -exec grep -lF 'Shop.find' {} +; }
expect 1 run shop --base HEAD --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "int Shop.find(int[], int)" and .place == "Shop.java:4" and
       (.changed | startswith("Shop.java:6: "))'
grep -q -- '-XX:+DumpPerfMapAtExit' seen || fail 'Java was not asked'
[[ $(grep -c plain seen) -ge 10 ]] || fail 'runs that are counted were asked as well'
[[ -z $(maps) ]] || fail "left behind: $(maps)"
[[ $(git status --short) == $' M Shop.java\n?? seen' ]] || fail "left behind: $(git status --short)"

package org.restorej.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of so many parts of all tests, whose union is the whole: each class of tests is in exactly one. Which one depends
 * on nothing but the name of the class, the number of parts, and how long classes take that are known to take long
 * ({@value #SECONDS}): those are shared out so that parts take about as long as each other, the others by a hash.
 *
 * @param number {@code 1 .. count}
 * @param count number of parts
 */
public record Part(int number, int count) {
    /** Beside this class; each line has the name of a class and its seconds in a deep run. */
    private static final String SECONDS = "seconds.txt";

    private static final List<LongClass> LONG_CLASSES = longClasses();

    private static final Pattern FORM = Pattern.compile("([0-9]{1,4})/([0-9]{1,4})");

    /** Checks its numbers. */
    public Part {
        if (number < 1 || number > count) {
            throw new IllegalArgumentException(
                    "a part must be NUMBER/COUNT, with 1 <= NUMBER <= COUNT: " + number + "/" + count);
        }
    }

    private record LongClass(String name, int seconds) {}

    /** Reads {@code 2/4}. */
    public static Part of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a part must be NUMBER/COUNT, with 1 <= NUMBER <= COUNT: " + text);
        }
        return new Part(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** Whether a class of tests is in this part; what is nested in it goes with it. */
    public boolean contains(String className) {
        int nested = className.indexOf('$');
        String outermost = nested < 0 ? className : className.substring(0, nested);
        Integer assigned = ofLongClasses(LONG_CLASSES, count).get(outermost);
        return number == (assigned != null
                ? assigned
                : 1 + (int) Long.remainderUnsigned(NameHash.of(outermost, 0), count));
    }

    /** The longest first, each goes to the part that has least. */
    private static Map<String, Integer> ofLongClasses(List<LongClass> classes, int count) {
        List<LongClass> sorted = classes.stream()
                .sorted(Comparator.comparingInt(LongClass::seconds).reversed().thenComparing(LongClass::name)).toList();
        long[] seconds = new long[count];
        Map<String, Integer> parts = new HashMap<>();
        for (LongClass next : sorted) {
            int least = 0;
            for (int part = 1; part < count; part++) {
                least = seconds[part] < seconds[least] ? part : least;
            }
            seconds[least] += next.seconds();
            parts.put(next.name(), least + 1);
        }
        return parts;
    }

    /** The classes that are known to take long. */
    private static List<LongClass> longClasses() {
        try (InputStream resource = Objects.requireNonNull(Part.class.getResourceAsStream(SECONDS), SECONDS);
                BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            return lines.lines().map(line -> line.split(" "))
                    .map(words -> new LongClass(words[0], Integer.parseInt(words[1]))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return number + "/" + count;
    }
}

package org.restorej.testing;

/**
 * The seed of all that a test chooses at random: the system property {@value #PROPERTY}, hashed with the name of who
 * asks, so that tests don't choose alike. Without the property it is the same in every run; {@code bin/test --deep}
 * sets another one each time. Each JVM prints it once.
 */
public final class Seed {
    static final String PROPERTY = "restorej.seed";
    private static final long DEFAULT = 1;
    private static final long VALUE = Long.getLong(PROPERTY, DEFAULT);

    static {
        System.out.println(option());
    }

    private Seed() {}

    /** The seed of a test, or of something else with a name. */
    public static long of(String name) {
        return NameHash.of(name, VALUE);
    }

    /** The seed of a class of tests. */
    public static long of(Class<?> site) {
        return of(site.getName());
    }

    /** The option that repeats what this run has chosen, for messages. */
    public static String option() {
        return "-D" + PROPERTY + "=" + VALUE;
    }
}

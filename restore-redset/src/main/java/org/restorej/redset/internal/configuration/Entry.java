package org.restorej.redset.internal.configuration;

/**
 * A value and where it is from.
 *
 * @param line its line, or 0 when it is in none
 * @param source where it is from, for people
 * @param value the text
 */
record Entry(int line, String source, String value) {
    static Entry byDefault(String value) {
        return new Entry(0, "by default", value);
    }

    /** A value behind a key of a line. */
    static Entry ofLine(int line, String key, String value) {
        return new Entry(line, key + " in line " + line, value);
    }

    static Entry ofEnvironment(String variable, String value) {
        return new Entry(0, variable + " in the environment", value);
    }

    /** What an error calls it, which tells of the line besides. */
    String named(String name) {
        return line == 0 ? name + ", by " + source + "," : name;
    }

    Setting setting(String name, Object meaning) {
        return new Setting(name, String.valueOf(meaning), source);
    }
}

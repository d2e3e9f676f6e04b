package org.restorej.redset.internal.configuration;

/**
 * A value and where it is from.
 *
 * @param line its line, or 0 for a default
 * @param key what is in front of it there
 * @param value the text
 */
record Entry(int line, String key, String value) {
    /** For people. */
    String source() {
        return line == 0 ? "by default" : key + " in line " + line;
    }

    Setting setting(String name, Object meaning) {
        return new Setting(name, String.valueOf(meaning), source());
    }
}

package org.restorej.tools.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares libraries with older versions of them. Started by {@code bin/api-check}. */
public final class ApiCheck {
    private ApiCheck() {}

    /**
     * Prints a line for each incompatible change; exits with 1 when there is one.
     *
     * @param arguments pairs of an old and a new jar
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0 || arguments.length % 2 != 0) {
            System.err.println("usage: ApiCheck OLD_JAR NEW_JAR [OLD_JAR NEW_JAR]...");
            System.exit(2);
        }
        List<String> changes = new ArrayList<>();
        for (int pair = 0; pair < arguments.length; pair += 2) {
            changes.addAll(ApiComparison.incompatibleChanges(Path.of(arguments[pair]), Path.of(arguments[pair + 1])));
        }
        changes.forEach(System.out::println);
        System.exit(changes.isEmpty() ? 0 : 1);
    }
}

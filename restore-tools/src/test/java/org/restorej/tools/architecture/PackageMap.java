package org.restorej.tools.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packages that ARCHITECTURE.md lists, from top to bottom. */
record PackageMap(List<String> packages) {
    private static final Pattern ENTRY = Pattern.compile("^(?:restore-[a-z-]+)? +(org\\.restorej[a-z.]*) .*");

    /** Reads the first code block of the document. */
    static PackageMap read(Path document) throws IOException {
        List<String> packages = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(document)) {
            if (line.startsWith("```")) {
                if (inside) {
                    break;
                }
                inside = true;
            }
            Matcher entry = ENTRY.matcher(line);
            if (inside && entry.matches()) {
                packages.add(entry.group(1));
            }
        }
        return new PackageMap(packages);
    }

    boolean contains(String name) {
        return packages.contains(name);
    }

    /** Whether the first package stands above the second, which it may use then. */
    boolean isAbove(String user, String used) {
        return packages.indexOf(user) < packages.indexOf(used);
    }
}

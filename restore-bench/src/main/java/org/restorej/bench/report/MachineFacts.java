package org.restorej.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.restorej.cli.command.ProcessAnswer;

/**
 * Where and with what something was measured: names and values for the head of a report.
 *
 * @param values in the order in which they are shown
 */
public record MachineFacts(Map<String, String> values) {
    private static final String UNKNOWN = "unknown";

    /** Copies. */
    public MachineFacts {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Of this machine.
     *
     * @param root the project's folder, whose scripts know Open MPI and which git knows
     */
    public static MachineFacts ofThisMachine(Path root) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("processor", line(Path.of("/proc/cpuinfo"), "model name"));
        values.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        values.put("memory", memory());
        values.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch"));
        values.put("JDK", Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
        values.put("Open MPI", ProcessAnswer.onMpis(root).value("version").orElse("none"));
        String version = MachineFacts.class.getPackage().getImplementationVersion();
        values.put("ReStore for Java", version == null ? "not packaged" : version);
        values.put("commit", commit(root));
        return new MachineFacts(values);
    }

    /** The same with one more value at the end. */
    public MachineFacts with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new MachineFacts(more);
    }

    private static String memory() {
        String kibibytes = line(Path.of("/proc/meminfo"), "MemTotal").replaceFirst(" kB$", "");
        return kibibytes.equals(UNKNOWN)
                ? UNKNOWN
                : String.format(Locale.ROOT, "%.1f GiB", Double.parseDouble(kibibytes) / (1 << 20));
    }

    private static String line(Path file, String name) {
        try {
            return Files.readAllLines(file).stream().filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse(UNKNOWN);
        } catch (IOException unreadable) {
            return UNKNOWN;
        }
    }

    private static String commit(Path root) {
        return ProcessAnswer.of(List.of("sh", "-c",
                "echo commit=$(git -C \"$0\" describe --always --dirty --abbrev=10 2>/dev/null)", root.toString()),
                Map.of()).value("commit").orElse(UNKNOWN);
    }
}

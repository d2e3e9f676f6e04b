package org.restorej.bench.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A model beside what was published, for people. Pure. */
record ModelTable(List<ClusterModel.Row> rows, Map<String, NetworkTimes> networks) {
    /** Medians of the C++ library in milliseconds, as docs/cluster-benchmarks.md has them. */
    private static final Map<ModelledCall, Map<Integer, Double>> PUBLISHED = Map.of(
            ModelledCall.SUBMIT, Map.of(48, 356.0, 768, 618.0, 6144, 1173.0, 24_576, 1810.0),
            ModelledCall.PULL_PERCENT, Map.of(192, 4.4, 768, 6.7, 24_576, 4.0),
            ModelledCall.PULL_ALL, Map.of(48, 45.0, 768, 125.0, 6144, 173.0, 24_576, 211.0));

    private static final String TEXT = """
            A model, not a measurement. 16 MiB a PE, blocks of 64 bytes, K = 4, permutation ranges of 256 KiB. Messages
            and bytes are those of the plans of all PEs, of the PE with most; collective calls (barriers + reductions +
            agreements) those of a real run. The time is: collective calls, each log2(P) times what is given; two
            latencies; all messages of that PE one after the other; its bytes. It leaves out what a PE computes and
            copies, and that others use the same links. Networks (microseconds, MB/s of a PE):
            """;
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(TEXT);
        networks.forEach((name, times) -> text.append("- ").append(name).append(": ").append(times).append('\n'));
        text.append("\n| call | PEs | messages of a PE | MiB of a PE | collective calls | ");
        networks.keySet().forEach(name -> text.append("model, ").append(name).append(" | "));
        text.append("C++ ReStore, published |\n|---|---:|---:|---:|---:|").append("---:|".repeat(networks.size() + 1))
                .append('\n');
        for (ModelledCall call : ModelledCall.values()) {
            rows.stream().filter(row -> row.call() == call).forEach(row -> text.append(line(row)));
        }
        return text.toString();
    }

    private static String line(ClusterModel.Row row) {
        Double published = PUBLISHED.getOrDefault(row.call(), Map.of()).get(row.pes());
        String model = row.seconds().stream().map(seconds -> millis(seconds * 1e3)).collect(Collectors.joining(" | "));
        return String.format(Locale.ROOT, "| %s | %,d | %,d | %.1f | %s | %s | %s |%n", row.call().title(), row.pes(),
                row.messages(), row.bytes() / (double) (1 << 20), row.collectives(), model,
                published == null ? "" : millis(published));
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
    }
}

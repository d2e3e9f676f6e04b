package org.restorej.bench.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A model beside what was published, for people. Pure. */
record ModelTable(List<ClusterModel.Row> rows, NetworkTimes times) {
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
            copies, and that others use the same links. Network (microseconds, MB/s):
            """;
    private static final String HEAD = """
            | call | PEs | messages of a PE | MiB of a PE | collective calls | model | C++ ReStore, published |
            |---|---:|---:|---:|---:|---:|---:|
            """;

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(TEXT).append(times).append("\n\n").append(HEAD);
        for (ModelledCall call : ModelledCall.values()) {
            for (ClusterModel.Row row : rows) {
                if (row.call() == call) {
                    Double published = PUBLISHED.getOrDefault(call, Map.of()).get(row.pes());
                    text.append(String.format(Locale.ROOT, "| %s | %,d | %,d | %.1f | %s | %s | %s |%n", call.title(),
                            row.pes(), row.messages(), row.bytes() / (double) (1 << 20), row.collectives(),
                            millis(row.seconds() * 1e3), published == null ? "" : millis(published)));
                }
            }
        }
        return text.toString();
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
    }
}

package org.restorej.bench.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What calls consist of on clusters that are not there: messages, bytes and collective calls, counted from the plans. */
public final class ClusterModel {
    /** Numbers of PEs of the published measurements. */
    public static final List<Integer> DEFAULT_PES = List.of(48, 192, 768, 6144, 24_576);

    /** Fewer can't hold the replicas. */
    public static final int LEAST_PES = 4;

    /** More would take longer to plan than anybody waits. */
    public static final int MOST_PES = 1 << 17;

    /** PEs of the run that counts collective calls, whose number doesn't depend on that of the PEs. */
    private static final int COUNTED_PES = 8;

    private static final String HEAD = """
            Counted, not measured. 16 MiB a PE, blocks of 64 bytes, K = 4, permutation ranges of 256 KiB. Messages sent and
            received, and bytes sent or received, whatever is more, are those of the plans of all PEs, of the PE with most;
            collective calls (barriers + reductions + agreements) those of a real run.

            | call | PEs | messages of a PE | MiB of a PE | collective calls |
            |---|---:|---:|---:|---:|
            """;

    private ClusterModel() {}

    /** The model for several numbers of PEs, of each call one row for each, as a table in Markdown. */
    public static String table(List<Integer> pes) {
        Map<ModelledCall, CountedRun.Calls> counted = CountedRun
                .of(new ModelShape(COUNTED_PES, 1 << 16, 64, 2, 1 << 12)).getFirst();
        StringBuilder text = new StringBuilder(HEAD);
        for (ModelledCall call : ModelledCall.values()) {
            for (int each : pes) {
                Traffic traffic = PlannedTraffic.of(ModelShape.published(each), call);
                text.append(String.format(Locale.ROOT, "| %s | %,d | %,d | %.1f | %s |%n", call.title(), each,
                        traffic.mostMessages(), traffic.mostBytes() / (double) (1 << 20),
                        Objects.requireNonNull(counted.get(call)).collectives()));
            }
        }
        return text.toString();
    }
}

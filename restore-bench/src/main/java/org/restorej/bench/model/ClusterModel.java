package org.restorej.bench.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What calls would take on clusters, as far as they consist of messages. */
public final class ClusterModel {
    /** Numbers of PEs of the published measurements. */
    public static final List<Integer> DEFAULT_PES = List.of(48, 192, 768, 6144, 24_576);

    /** By {@link NetworkProbe} on two nodes of {@code bin/nodes}, a core for each: TCP within one machine. */
    public static final String MEASURED = "latency=12.95,message=15.42,bandwidth=491,barrier=12.96,reduction=23.30,"
            + "agreement=22.66";

    /** What 48 PEs of a node have that share a link of 100 Gbit/s, rounded down: assumed, measured by nobody. */
    public static final String SHARED_LINK = "latency=2.00,message=0.50,bandwidth=250,barrier=3.00,reduction=4.00,"
            + "agreement=10.00";

    /** Fewer can't hold the replicas. */
    public static final int LEAST_PES = 4;

    /** More would take longer to plan than anybody waits. */
    public static final int MOST_PES = 1 << 17;

    /** PEs of the run that counts collective calls, whose number doesn't depend on that of the PEs. */
    private static final int COUNTED_PES = 8;

    /** Dependent messages: of a submission what is sent after its announcement, of a pull the answer to a request. */
    private static final int STEPS = 2;

    private ClusterModel() {}

    /**
     * One call on one cluster.
     *
     * @param call which
     * @param pes number of PEs
     * @param messages that a PE sends and receives, of the PE with most of them
     * @param bytes that a PE sends, or receives, whatever is more, of the PE with most
     * @param collectives that all PEs take part in
     * @param seconds that it takes by the model, on each network
     */
    record Row(ModelledCall call, int pes, long messages, long bytes, Collectives collectives, List<Double> seconds) {}

    /** The networks of a model for which none is given: what was measured, and what PEs of a cluster may expect. */
    public static Map<String, NetworkTimes> networks() {
        Map<String, NetworkTimes> networks = new LinkedHashMap<>();
        networks.put("TCP on one machine", NetworkTimes.parse(MEASURED));
        networks.put("100 Gbit/s for 48 PEs", NetworkTimes.parse(SHARED_LINK));
        return networks;
    }

    /**
     * The model for several numbers of PEs, of each call one row for each, as a table in Markdown.
     *
     * @param networks by name, in the order of the table's columns
     */
    public static String table(List<Integer> pes, Map<String, NetworkTimes> networks) {
        Map<ModelledCall, CountedRun.Calls> counted = CountedRun
                .of(new ModelShape(COUNTED_PES, 1 << 16, 64, 2, 1 << 12)).getFirst();
        List<Row> rows = new ArrayList<>();
        for (int each : pes) {
            for (ModelledCall call : ModelledCall.values()) {
                Traffic traffic = PlannedTraffic.of(ModelShape.published(each), call);
                Collectives collectives = Objects.requireNonNull(counted.get(call)).collectives();
                List<Double> seconds = networks.values().stream().map(times -> seconds(each, traffic.mostMessages(),
                        traffic.mostBytes(), collectives, times)).toList();
                rows.add(new Row(call, each, traffic.mostMessages(), traffic.mostBytes(), collectives, seconds));
            }
        }
        return new ModelTable(rows, networks).toString();
    }

    /** Collective calls, then the two steps, and a message after the other and a byte after the other meanwhile. */
    static double seconds(int pes, long messages, long bytes, Collectives collectives, NetworkTimes times) {
        double doublings = Math.log(pes) / Math.log(2);
        double together = doublings * (collectives.barriers() * times.barrierMicros()
                + collectives.reductions() * times.reductionMicros()
                + collectives.agreements() * times.agreementMicros());
        double micros = together + STEPS * times.latencyMicros() + messages * times.messageMicros()
                + bytes / times.megabytesPerSecond();
        return micros / 1e6;
    }
}

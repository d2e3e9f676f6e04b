package org.restorej.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterModelTest {
    private static final NetworkTimes TIMES = new NetworkTimes(5, 2, 100, 10, 20, 40);

    @Test
    void addsUpWhatACallConsistsOf() {
        // 10 doublings of 10 + 2 * 20 + 3 * 40, two latencies, 30 messages, 1000 bytes at 100 a microsecond.
        assertEquals((10 * 170 + 10 + 60 + 10) / 1e6,
                ClusterModel.seconds(1024, 30, 1000, new Collectives(1, 2, 3), TIMES), 1e-12);
    }

    @Test
    void timesAreReadAsTheyArePrinted() {
        assertEquals(TIMES, NetworkTimes.parse(TIMES.toString()));
    }

    /** A PE of 48 on a node has no more than its share of the node's link. */
    @Test
    void whereNoneIsGivenThereIsANetworkThatThePesOfANodeShare() {
        double linkMegabytes = 100e9 / 8 / 1e6;
        assertTrue(NetworkTimes.parse(ClusterModel.SHARED_LINK).megabytesPerSecond() <= linkMegabytes / 48);
        String table = ClusterModel.table(List.of(48), ClusterModel.networks());
        assertTrue(table.contains("\n- TCP on one machine: " + ClusterModel.MEASURED + "\n- 100 Gbit/s for 48 PEs: "
                + ClusterModel.SHARED_LINK + "\n\n| call | PEs | messages of a PE | MiB of a PE | collective calls | "
                + "model, TCP on one machine | model, 100 Gbit/s for 48 PEs | C++ ReStore, published |\n"
                + "|---|---:|---:|---:|---:|---:|---:|---:|\n"), table);
        // 64 MiB at 491 and at 250 MB/s.
        assertTrue(table.lines().anyMatch(line -> line.matches(
                "\\| submit \\| 48 \\| .* \\| 14[0-9] ms \\| 26[0-9] ms \\| 356 ms \\|")), table);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "latency=1", "latency=0,message=1,bandwidth=1,barrier=1,reduction=1,agreement=1",
            "latency=x,message=1,bandwidth=1,barrier=1,reduction=1,agreement=1",
            "latency=1,latency=1,message=1,bandwidth=1,barrier=1,reduction=1,agreement=1",
            "latency=1,message=1,bandwidth=1,barrier=1,reduction=1,agreement=1,colour=1"})
    void otherTimesAreRefused(String text) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> NetworkTimes.parse(text)).getMessage());
        assertTrue(message.contains("'" + text + "'"), message);
    }

    @Test
    void standsBesideWhatWasPublished() {
        String table = ClusterModel.table(List.of(48, 192), Map.of("any", TIMES));
        assertTrue(table.startsWith("A model, not a measurement."), table);
        assertTrue(table.lines().anyMatch(line -> line.startsWith("| submit | 48 | ") && line.endsWith(" | 356 ms |")),
                table);
        assertTrue(table.lines().anyMatch(line -> line.startsWith("| load 1 % of the data | 192 | ")
                && line.endsWith(" | 4.4 ms |")), table);
        // Three copies of 16 MiB go elsewhere, and a fourth of those of which a PE is itself a holder, all but.
        assertTrue(table.lines().anyMatch(line -> line.matches("\\| submit \\| 48 \\| [0-9,]+ \\| 6[0-9][.][0-9] .*")),
                table);
    }
}

package org.restorej;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** Writes a {@link StoreReport} for people. */
final class ReportText {
    private ReportText() {}

    static String of(StoreReport report) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format("generation %d%n", report.generation());
        addMemory(text, report.memory());
        addReplicas(text, report);
        text.format("%-16s%8s%10s%16s%16s%14s", "operation", "calls", "failures", "bytes sent", "bytes received",
                "milliseconds");
        for (StoreOperation operation : StoreOperation.values()) {
            StoreReport.Totals totals = report.totals(operation);
            if (totals.calls() > 0) {
                text.format("%n%-16s%,8d%,10d%,16d%,16d%,14.3f", operation.text(), totals.calls(), totals.failures(),
                        totals.sentBytes(), totals.receivedBytes(), totals.nanos() / 1e6);
            }
        }
        return text.toString();
    }

    private static void addMemory(Formatter text, StoreReport.Memory memory) {
        text.format(
                "memory: %,d bytes: %,d of blocks, %,d of sizes, %,d of checksums, %,d staged, %,d spare, %,d of buffers%n",
                memory.totalBytes(), memory.blockBytes(), memory.sizeBytes(), memory.checksumBytes(),
                memory.stagedBytes(), memory.spareBytes(), memory.stagingBytes());
    }

    private static void addReplicas(Formatter text, StoreReport report) {
        List<Long> blocks = report.blocksByReplicas();
        text.format("blocks: %,d lost", report.blocksLost());
        for (int replicas = 1; replicas < blocks.size(); replicas++) {
            text.format(", %,d with %d replica%s", blocks.get(replicas), replicas, replicas == 1 ? "" : "s");
        }
        text.format("; %,d ranges at risk, %,d damaged replicas%n", report.rangesAtRisk(), report.damagedReplicas());
    }
}

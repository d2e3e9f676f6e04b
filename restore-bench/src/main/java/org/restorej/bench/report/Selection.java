package org.restorej.bench.report;

import java.util.List;
import java.util.Optional;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/**
 * Some of the measurements: how the report finds what it speaks of. Immutable.
 *
 * @param measurements in the order in which they were measured
 */
record Selection(List<Measurement> measurements) {
    /** Copies. */
    Selection {
        measurements = List.copyOf(measurements);
    }

    /** Those of one benchmark. */
    Selection of(String shortName) {
        return new Selection(
                measurements.stream().filter(each -> each.key().shortName().equals(shortName)).toList());
    }

    /** Those with a value of a parameter. */
    Selection with(String param, String value) {
        return new Selection(measurements.stream().filter(each -> each.key().param(param).equals(value)).toList());
    }

    /** Those with a value of a parameter. */
    Selection with(String param, long value) {
        return with(param, Long.toString(value));
    }

    /** Those of a method. */
    Selection by(String method) {
        return with(BenchmarkKey.METHOD, method);
    }

    /** Those of stores as they are usually measured: blocks of 64 bytes, four replicas, ranges of 256 KiB. */
    Selection ofUsualStores() {
        return with("blockBytes", 64).with("replication", 4).with("permutationRangeBytes", 256 << 10);
    }

    /** The values of a parameter, each once, ascending. */
    List<Long> numbers(String param) {
        return measurements.stream().map(each -> each.key().param(param)).filter(value -> value.matches("\\d{1,18}"))
                .map(Long::valueOf).sorted().distinct().toList();
    }

    /** The only one, or the first of several. */
    Optional<Measurement> first() {
        return measurements.stream().findFirst();
    }
}

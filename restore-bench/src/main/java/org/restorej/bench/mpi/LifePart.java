package org.restorej.bench.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.result.BenchmarkKey;

/**
 * An operation of a job, or a rival's, and how long its calls took. One thread.
 *
 * @param name of the operation
 * @param params what tells it from others of that name
 * @param exchange calls it
 * @param millis of all calls so far
 */
record LifePart(String name, Map<String, String> params, Exchange exchange, List<Double> millis) {
    static LifePart of(String name, Map<String, String> params, Exchange exchange) {
        return new LifePart(name, Map.copyOf(params), exchange, new ArrayList<>());
    }

    static LifePart of(String name, String method, Exchange exchange) {
        return of(name, Map.of(BenchmarkKey.METHOD, method), exchange);
    }

    /** One call. Collective. */
    void call(RankWorld ranks) {
        exchange.prepare();
        millis.add(ranks.millis(exchange::run));
    }

    /** One more call, not measured, whose every byte is looked at. Collective. */
    void check() {
        exchange.clear();
        exchange.prepare();
        exchange.run();
        exchange.check();
    }
}

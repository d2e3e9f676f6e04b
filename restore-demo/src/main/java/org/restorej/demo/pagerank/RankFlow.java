package org.restorej.demo.pagerank;

import org.restorej.demo.run.FixedPoint;

/**
 * What flows along edges in one iteration. A vertex gives an equal share of its rank to each of its outgoing edges; one
 * without any gives to all vertices. Shares are whole multiples of 2^-60, so that it does not matter which PE has which
 * edge (Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", 1999).
 */
final class RankFlow {
    private static final FixedPoint SHARE = new FixedPoint(60);

    private RankFlow() {}

    /** Adds up how often each vertex is the first of an edge. */
    static long[] outDegrees(int vertexCount, int[] edges) {
        long[] degrees = new long[vertexCount];
        for (int edge = 0; edge < edges.length; edge += 2) {
            degrees[edges[edge]]++;
        }
        return degrees;
    }

    /** What the vertices get along some edges. */
    static long[] incoming(int[] edges, long[] outDegrees, Ranks before) {
        long[] shares = new long[outDegrees.length];
        for (int vertex = 0; vertex < shares.length; vertex++) {
            shares[vertex] = SHARE.of(before.values()[vertex] / Math.max(1, outDegrees[vertex]));
        }
        long[] incoming = new long[outDegrees.length];
        for (int edge = 0; edge < edges.length; edge += 2) {
            incoming[edges[edge + 1]] += shares[edges[edge]];
        }
        return incoming;
    }

    /** The ranks that follow from what all edges bring. */
    static Ranks next(long[] incoming, long[] outDegrees, Ranks before, double damping) {
        double dangling = 0;
        for (int vertex = 0; vertex < incoming.length; vertex++) {
            dangling += outDegrees[vertex] == 0 ? before.values()[vertex] : 0;
        }
        double base = (1 - damping + damping * dangling) / incoming.length;
        double[] ranks = new double[incoming.length];
        double change = 0;
        for (int vertex = 0; vertex < incoming.length; vertex++) {
            ranks[vertex] = base + damping * SHARE.value(incoming[vertex]);
            change += Math.abs(ranks[vertex] - before.values()[vertex]);
        }
        return new Ranks(ranks, change);
    }
}

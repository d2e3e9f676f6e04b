package org.restorej.demo.pagerank;

import org.restorej.block.BlockRanges;

/** A directed graph whose edges are numbered. An edge that is there twice counts twice. */
public sealed interface Graph permits EdgeList, RandomGraph {
    /** Number of vertices. */
    int vertexCount();

    /** Number of edges. */
    long edgeCount();

    /** The edges of some numbers, in ascending order: from, to, from, to. */
    int[] edges(BlockRanges numbers);

    /** What a vertex is called. */
    String name(int vertex);

    /** The graph in a few words. */
    String description();
}

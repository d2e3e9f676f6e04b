/**
 * PageRank that survives the death of processes: {@link org.restorej.demo.pagerank.PageRank} is the whole distributed
 * program, the rest is its input, its arithmetic and its command.
 */
@NullMarked
package org.restorej.demo.pagerank;

import org.jspecify.annotations.NullMarked;

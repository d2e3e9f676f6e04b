/**
 * k-means that survives failures of processes: {@link org.restorej.demo.kmeans.KMeans} is the whole distributed
 * program, the rest is its input, its arithmetic and its command.
 *
 * <p>
 * Calls {@code command} and {@code run}. Called by {@code DemoCommand} only.
 */
@NullMarked
package org.restorej.demo.kmeans;

import org.jspecify.annotations.NullMarked;

/**
 * k-means that survives the death of processes: {@link org.restorej.demo.kmeans.KMeans} is the whole distributed
 * program, the rest is its input, its arithmetic and its command.
 */
@NullMarked
package org.restorej.demo.kmeans;

import org.jspecify.annotations.NullMarked;

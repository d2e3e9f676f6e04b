/**
 * What the runs of all demos have: the task of a PE, failures on schedule, what it took to recover from them, and the
 * trace of what each PE did.
 *
 * <p>
 * Calls the store and its communicators, no other package of the demos. Called by all that run a demo or show its
 * results.
 *
 * <p>
 * To add a demo, start with a {@code PeTask} as {@code demo.kmeans.KMeans}, a command as
 * {@code demo.kmeans.KMeansCommand}, and a line in {@code demo.DemoCommand}.
 */
@NullMarked
package org.restorej.demo.run;

import org.jspecify.annotations.NullMarked;

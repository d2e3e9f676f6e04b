/**
 * A program with a failure at every communication call: start at {@link org.restorej.faults.FailureAtEveryCall}.
 *
 * <p>
 * Runs programs on {@link org.restorej.comm.local.LocalCluster}s that are stepped by a seed, and knows nothing of
 * stores. Called by tests, of this project and of applications.
 *
 * <p>
 * To change which calls fail, start at {@code FailureAtEveryCall}; what one run records, at {@code TracedRun}.
 */
@NullMarked
package org.restorej.faults;

import org.jspecify.annotations.NullMarked;

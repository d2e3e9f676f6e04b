/**
 * Tests a program with a failure at every communication call: {@link org.restorej.faults.FailureAtEveryCall}.
 *
 * <p>
 * Runs programs on a {@link org.restorej.comm.local.LocalCluster} that is stepped by a seed. Used by tests of this
 * project and of applications; independent of stores.
 *
 * <p>
 * To change which calls fail, start at {@code FailureAtEveryCall}; what one run records, at {@code TracedRun}.
 */
@NullMarked
package org.restorej.faults;

import org.jspecify.annotations.NullMarked;

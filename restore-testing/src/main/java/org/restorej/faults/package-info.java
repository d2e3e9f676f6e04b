/**
 * A program with a failure at every communication call: start at {@link org.restorej.faults.FailureAtEveryCall}.
 *
 * <p>
 * Runs programs on {@link org.restorej.comm.local.LocalCluster}s that are stepped by a seed, and knows nothing of stores.
 */
@NullMarked
package org.restorej.faults;

import org.jspecify.annotations.NullMarked;

/**
 * What a run of the demo needs besides its program: the task of a PE, failures on schedule, what it took to recover from them, and the
 * trace of what each PE did.
 *
 * <p>
 * Calls the store and its communicators, no other package of the demo. Called by all that run it or show its results.
 *
 * <p>
 * To change how failures are made, start at {@code FailureDrill}.
 */
@NullMarked
package org.restorej.demo.run;

import org.jspecify.annotations.NullMarked;

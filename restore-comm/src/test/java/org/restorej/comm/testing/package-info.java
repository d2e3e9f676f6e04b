/**
 * What tests of this and other modules need of communicators: planned faults, recorded calls, waiting with a limit.
 *
 * <p>
 * Calls {@code org.restorej.comm} and no test framework, so that it also serves programs started by {@code mpirun}.
 */
@NullMarked
package org.restorej.comm.testing;

import org.jspecify.annotations.NullMarked;

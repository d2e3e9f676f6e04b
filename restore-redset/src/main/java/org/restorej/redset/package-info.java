/**
 * Files that outlive the disks they were written to: {@link org.restorej.redset.Redset} protects those of all processes
 * of a communicator, {@link org.restorej.redset.Datasets} keeps several checkpoints.
 *
 * <p>
 * All that a user needs, with {@code scheme}, {@code sets} and the exceptions and {@code Recovery} of {@code protocol}.
 * Calls {@code protocol} and what is below it.
 */
@NullMarked
package org.restorej.redset;

import org.jspecify.annotations.NullMarked;

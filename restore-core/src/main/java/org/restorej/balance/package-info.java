/**
 * Who works on which blocks, and who takes over the work of the dead.
 *
 * <p>
 * Calls {@code block}, {@code placement} and the rank types of {@code comm}; no communication: every PE computes the
 * same assignment.
 */
@NullMarked
package org.restorej.balance;

import org.jspecify.annotations.NullMarked;

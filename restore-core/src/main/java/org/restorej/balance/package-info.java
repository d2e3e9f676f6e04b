/**
 * Who works on which blocks, and who takes over the work of failed PEs.
 *
 * <p>
 * Calls {@code block}, {@code placement} and the rank types of {@code comm}; no communication: every PE computes the
 * same assignment. Called by loops and by applications.
 *
 * <p>
 * To add another load balancer, start at {@code LoadBalancer}: extend it by one function, from an assignment and the
 * failed ranks to the next assignment.
 */
@NullMarked
package org.restorej.balance;

import org.jspecify.annotations.NullMarked;

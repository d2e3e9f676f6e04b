/**
 * Load balancers: they assign blocks to PEs, and reassign the blocks of failed PEs. Start at
 * {@link org.restorej.balance.LoadBalancer}.
 *
 * <p>
 * Uses {@code block}, {@code placement} and the rank types of {@code comm}, and doesn't communicate: every PE computes
 * the same assignment. Called by loops and by applications.
 *
 * <p>
 * To add another load balancer, start at {@code LoadBalancer}: extend it by one function, from an assignment and the
 * failed ranks to the next assignment.
 */
@NullMarked
package org.restorej.balance;

import org.jspecify.annotations.NullMarked;

/**
 * Plans: from what a PE submits or wants, and what it knows of the replicas, to which runs of positions go from which
 * PE to which, and where they are in memory.
 *
 * <p>
 * Pure arithmetic without communication. Calls {@code placement} and {@code storage}; {@code transfer} runs the plans,
 * {@code operation} asks for them.
 *
 * <p>
 * To change which replica serves a pull, start at {@code ServerChoice}: the holder with the fewest blocks of the wish
 * so far. To change how a submit is cut, start at {@code SubmitPlanner}; a pull, at {@code ReadPlanner}; what a
 * re-replication copies, at {@code ReplenishPlan}.
 */
@NullMarked
package org.restorej.internal.plan;

import org.jspecify.annotations.NullMarked;

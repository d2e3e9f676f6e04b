/**
 * Plans: from what a PE submits or requests, and what it knows of the replicas, they compute which runs of positions
 * move between which PEs, and where they are in memory.
 *
 * <p>
 * No communication. Uses {@code placement} and {@code storage}; {@code transfer} executes the plans, {@code operation}
 * requests them.
 *
 * <p>
 * To change which replica serves a pull, start at {@code ServerChoice}: the holder with the fewest blocks of the
 * request so far. To change how a submit is split, start at {@code SubmitPlanner}; a pull, at {@code ReadPlanner}; what
 * a re-replication copies, at {@code ReplenishPlan}.
 */
@NullMarked
package org.restorej.internal.plan;

import org.jspecify.annotations.NullMarked;

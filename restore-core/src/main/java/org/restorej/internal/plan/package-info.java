/**
 * Plans: from what a PE submits or wants, and what it knows of the replicas, to which runs of positions go from which
 * PE to which, and where they lie in memory. Pure arithmetic without communication. Calls {@code placement} and
 * {@code storage}; {@code transfer} runs the plans.
 */
@NullMarked
package org.restorej.internal.plan;

import org.jspecify.annotations.NullMarked;

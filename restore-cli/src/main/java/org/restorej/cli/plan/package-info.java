/**
 * The commands {@code plan} and {@code simulate}: what a replication level costs in memory, and which failures it
 * survives.
 *
 * <p>
 * Calls {@code risk} for simulations, {@code internal.risk} of the store for formulas, {@code command} and {@code plot}.
 * Called by the command line only.
 *
 * <p>
 * To change what a plan computes, start at {@code RiskPlan}; what it prints, at {@code PlanText}.
 */
@NullMarked
package org.restorej.cli.plan;

import org.jspecify.annotations.NullMarked;

/**
 * The commands {@code plan} and {@code simulate}: the memory that a replication level takes, and the failures that it
 * survives.
 *
 * <p>
 * Uses {@code risk} for simulations, {@code internal.risk} of the store for formulas, {@code command} and {@code plot}.
 * Called by the command line only.
 *
 * <p>
 * To change what a plan computes, start at {@code RiskPlan}; what it prints, at {@code PlanText}.
 */
@NullMarked
package org.restorej.cli.plan;

import org.jspecify.annotations.NullMarked;

/**
 * The risk of loss before a run: exact formulas for the placement of a store, bounds where there is none, and a
 * simulation that knows no formula.
 *
 * <p>
 * Everywhere a <em>loss</em> means that all replicas of some block range are gone, and failures are of PEs, or of whole
 * failure domains, all sets of the same size being equally likely. Calls the placement of the store and the results of
 * {@code report}. Called by {@code plan} only.
 *
 * <p>
 * To change probabilities of loss before a run, start at {@code LossProbability}, the formulas, and
 * {@code LossSimulator}; those of a running store are in {@code internal.risk}.
 */
@NullMarked
package org.restorej.cli.risk;

import org.jspecify.annotations.NullMarked;

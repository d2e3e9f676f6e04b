/**
 * Estimates the risk of loss by simulation, which uses the placement itself instead of formulas.
 *
 * <p>
 * A <em>loss</em> means that all replicas of some block range are gone. Failures are of ranks, or of whole failure
 * domains, all sets of the same size being equally likely. Uses the placement of the store. Called by {@code plan}
 * only.
 *
 * <p>
 * To change what is simulated, start at {@code LossSimulator}; the formulas are those of the store, in
 * {@code internal.risk}.
 */
@NullMarked
package org.restorej.cli.risk;

import org.jspecify.annotations.NullMarked;

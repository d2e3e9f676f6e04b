/**
 * What one PE does alone for an operation, for up to a million PEs that need not be there.
 *
 * <p>
 * To change what is computed for many PEs, start at {@code PlanScale}; messages on large clusters are
 * {@code bench.model.ClusterModel}. Calls the plans of the store; {@code cli} calls it.
 */
@NullMarked
package org.restorej.bench.scale;

import org.jspecify.annotations.NullMarked;

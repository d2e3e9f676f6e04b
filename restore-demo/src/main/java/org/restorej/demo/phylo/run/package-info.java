/**
 * The distributed likelihood: what one PE does, from its share of the patterns to the log-likelihood, through failures.
 *
 * <p>
 * Calls the store, its communicators, and the packages of the domain, which know nothing of this one. Called by the
 * command of {@code phylo}. Knows neither threads nor mpirun, only communicators.
 */
@NullMarked
package org.restorej.demo.phylo.run;

import org.jspecify.annotations.NullMarked;

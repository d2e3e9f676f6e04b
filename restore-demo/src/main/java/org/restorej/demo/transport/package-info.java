/**
 * Where the PEs of a demo are: threads of this JVM, or ranks under an MPI, which this starts.
 *
 * <p>
 * Calls {@code run} for the task of a PE, and the communicators of the store. Called by {@code command} only; knows no
 * demo.
 */
@NullMarked
package org.restorej.demo.transport;

import org.jspecify.annotations.NullMarked;

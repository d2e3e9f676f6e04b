/**
 * The training run of the AOT cache with which ranks start, and the interface for other modules to take part.
 *
 * <p>
 * Calls the store as an application does. {@code bin/lib/aot.sh} starts it; redset adds {@code TrainingPart}s.
 *
 * <p>
 * To change what is loaded from the AOT cache, start at {@code AotTraining}; {@code bin/lib/aot.sh} creates the cache,
 * also that of commands.
 */
@NullMarked
package org.restorej.internal.training;

import org.jspecify.annotations.NullMarked;

/**
 * The training run of the AOT cache that ranks start with, and how other modules take part in it.
 *
 * <p>
 * Calls the store as an application does. {@code bin/lib/aot.sh} starts it; redset adds a {@code TrainingPart}.
 *
 * <p>
 * To change what is loaded from the AOT cache, start at {@code AotTraining}; {@code bin/lib/aot.sh} makes the cache,
 * also that of commands.
 */
@NullMarked
package org.restorej.internal.training;

import org.jspecify.annotations.NullMarked;

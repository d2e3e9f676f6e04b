/**
 * Redset's part of the training run for the AOT cache. Uses {@code Redset} as an application does. The store's
 * {@code internal.training} finds it as a service. To change it, start at
 * {@link org.restorej.redset.training.RedsetTraining}.
 */
@NullMarked
package org.restorej.redset.training;

import org.jspecify.annotations.NullMarked;

/**
 * Redset's part of the training run of the AOT cache. Calls {@code Redset} as an application does;
 * {@code internal.training} of the store finds it as a service. To change it, start at
 * {@link org.restorej.redset.training.RedsetTraining}.
 */
@NullMarked
package org.restorej.redset.training;

import org.jspecify.annotations.NullMarked;

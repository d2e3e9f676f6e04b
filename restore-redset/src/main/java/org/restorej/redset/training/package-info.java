/**
 * Redset's parts of the training run for the AOT cache. They use {@code Redset}, {@code Datasets} and {@code LoopFiles}
 * as an application does. The store's {@code internal.training} finds them as services. To change what is loaded from
 * the cache, start at {@link org.restorej.redset.training.RedsetTraining}.
 */
@NullMarked
package org.restorej.redset.training;

import org.jspecify.annotations.NullMarked;

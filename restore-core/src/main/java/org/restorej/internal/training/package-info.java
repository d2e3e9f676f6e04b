/**
 * The training run of the AOT cache that ranks start with, and how other modules take part in it.
 */
@NullMarked
package org.restorej.internal.training;

import org.jspecify.annotations.NullMarked;

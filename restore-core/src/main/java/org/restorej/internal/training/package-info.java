/** How other modules take part in the training of the AOT cache that ranks start with. */
@NullMarked
package org.restorej.internal.training;

import org.jspecify.annotations.NullMarked;

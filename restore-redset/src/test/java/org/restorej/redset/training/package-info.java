/** Tests of what the AOT cache is trained with. */
@NullMarked
package org.restorej.redset.training;

import org.jspecify.annotations.NullMarked;

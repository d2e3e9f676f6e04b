/** Tests of coded rows. */
@NullMarked
package org.restorej.internal.coding;

import org.jspecify.annotations.NullMarked;

/** How functions of C are called. */
@NullMarked
package org.restorej.internal.foreign;

import org.jspecify.annotations.NullMarked;

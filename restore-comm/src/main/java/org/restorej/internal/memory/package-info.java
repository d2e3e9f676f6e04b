/**
 * Where all off-heap memory of the library comes from and is counted.
 */
@NullMarked
package org.restorej.internal.memory;

import org.jspecify.annotations.NullMarked;

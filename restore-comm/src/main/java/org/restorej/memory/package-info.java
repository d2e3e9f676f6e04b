/**
 * Off-heap memory on huge pages, for applications, too. Calls {@code internal.memory}.
 */
@NullMarked
package org.restorej.memory;

import org.jspecify.annotations.NullMarked;

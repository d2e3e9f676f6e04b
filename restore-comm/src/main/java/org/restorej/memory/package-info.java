/**
 * Off-heap memory on huge pages, for applications, too. Calls {@code internal.memory}; redset calls it, and
 * applications. To change it, start at {@link org.restorej.memory.HugePages}.
 */
@NullMarked
package org.restorej.memory;

import org.jspecify.annotations.NullMarked;

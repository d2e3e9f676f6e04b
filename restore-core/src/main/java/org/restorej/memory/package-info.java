/**
 * Off-heap memory: all that the library has, counted, and on huge pages where that is worth it. Calls no other package
 * of the project.
 */
@NullMarked
package org.restorej.memory;

import org.jspecify.annotations.NullMarked;

/**
 * Where all off-heap memory of the library comes from and is counted. Calls no other package of the project.
 */
@NullMarked
package org.restorej.internal.memory;

import org.jspecify.annotations.NullMarked;

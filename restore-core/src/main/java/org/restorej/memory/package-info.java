/** Off-heap memory that is worth having for what is submitted, pulled or sent. Calls no other package of the project. */
@NullMarked
package org.restorej.memory;

import org.jspecify.annotations.NullMarked;

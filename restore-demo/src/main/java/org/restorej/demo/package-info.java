/** Example programs that keep working when processes die, and the commands that start them. */
@NullMarked
package org.restorej.demo;

import org.jspecify.annotations.NullMarked;

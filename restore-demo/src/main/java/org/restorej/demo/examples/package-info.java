/** Three short programs to copy, whose data change and move: each is complete but for its imports. */
@NullMarked
package org.restorej.demo.examples;

import org.jspecify.annotations.NullMarked;

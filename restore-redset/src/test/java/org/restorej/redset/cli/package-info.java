/** Tests of the commands. */
@NullMarked
package org.restorej.redset.cli;

import org.jspecify.annotations.NullMarked;

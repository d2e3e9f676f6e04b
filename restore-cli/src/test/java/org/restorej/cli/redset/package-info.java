/** Tests of the commands. */
@NullMarked
package org.restorej.cli.redset;

import org.jspecify.annotations.NullMarked;

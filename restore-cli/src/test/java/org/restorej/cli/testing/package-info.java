/** How tests run commands and scripts, and what all commands have to keep; for the modules that add commands, too. */
@NullMarked
package org.restorej.cli.testing;

import org.jspecify.annotations.NullMarked;

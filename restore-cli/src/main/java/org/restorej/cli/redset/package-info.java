/**
 * The commands {@code redset info|list|verify|rebuild DIR...} and {@code redset config FILE}. Not for applications.
 * Calls {@code redset.internal.offline}, {@code redset.internal.scr} and the packages below them, and {@code cli.command}.
 *
 * <p>
 * To change a command of redset, start at {@code RedsetCommand}.
 */
@NullMarked
package org.restorej.cli.redset;

import org.jspecify.annotations.NullMarked;

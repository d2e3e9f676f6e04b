/**
 * The command line {@code redset info|list|verify|rebuild DIR...} and {@code redset config FILE}. The only package of
 * the module that knows picocli.
 *
 * <p>
 * Not for programs. It calls {@code internal.offline} and what that calls.
 *
 * <p>
 * To change a command of redset, start at {@code RedsetCommand}.
 */
@NullMarked
package org.restorej.redset.cli;

import org.jspecify.annotations.NullMarked;

/**
 * The commands {@code redset info|list|verify|rebuild DIR...} and {@code redset config FILE}. Not for applications.
 * Calls {@code internal.offline} and the packages below it. The only package of this module that uses picocli.
 *
 * <p>
 * To change a command of redset, start at {@code RedsetCommand}.
 */
@NullMarked
package org.restorej.redset.cli;

import org.jspecify.annotations.NullMarked;

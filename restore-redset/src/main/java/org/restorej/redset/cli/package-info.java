/**
 * The command line {@code redset info|list|verify|rebuild DIR}. Only this package knows picocli.
 */
@NullMarked
package org.restorej.redset.cli;

import org.jspecify.annotations.NullMarked;

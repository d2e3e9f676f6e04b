/**
 * A model of the store on clusters that are not there: messages and bytes of the real plans, collective calls of a real
 * run on a few PEs. Prints a table; nothing else calls it but {@code cli}.
 */
@NullMarked
package org.restorej.bench.model;

import org.jspecify.annotations.NullMarked;

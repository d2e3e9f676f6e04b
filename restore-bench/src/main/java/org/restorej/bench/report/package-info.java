/** Turns results into a report for people, with plots. Calls {@code result} and {@code plot}; measures nothing. */
@NullMarked
package org.restorej.bench.report;

import org.jspecify.annotations.NullMarked;

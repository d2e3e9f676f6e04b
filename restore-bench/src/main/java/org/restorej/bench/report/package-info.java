/**
 * Turns results into a report for people, with plots. Calls {@code result} and {@code plot}; measures nothing.
 *
 * <p>
 * To change what the report prints, start at {@code MarkdownReport}; goals are in {@code goals.txt}. Called by
 * {@code cli}.
 */
@NullMarked
package org.restorej.bench.report;

import org.jspecify.annotations.NullMarked;

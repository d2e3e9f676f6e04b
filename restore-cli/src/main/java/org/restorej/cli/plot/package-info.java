/**
 * Pictures as SVG and PNG files, drawn by JFreeChart: charts of series, and whatever else is one of its charts. The same
 * input gives the same bytes on the same machine.
 *
 * <p>
 * Calls nothing of the project. Lives here since the command line is the lowest of the modules that draw.
 */
@NullMarked
package org.restorej.cli.plot;

import org.jspecify.annotations.NullMarked;

/**
 * Pictures as SVG and PNG files: line charts, and whatever else is painted with Java 2D. The same input gives the same
 * bytes on the same machine.
 *
 * <p>
 * Calls nothing of the project. Called by commands that plot and by the reports of the benchmarks. It lives here since
 * the command line is the lowest of the modules that draw.
 */
@NullMarked
package org.restorej.cli.plot;

import org.jspecify.annotations.NullMarked;

/**
 * Pictures as SVG and PNG files: line charts, and whatever else is painted with Java 2D. The same input gives the same
 * bytes on the same machine. {@link org.restorej.cli.plot.PlotArea} is a chart's inside, for pictures of more than it.
 *
 * <p>
 * Calls nothing of the project. Lives here since the command line is the lowest of the modules that draw.
 */
@NullMarked
package org.restorej.cli.plot;

import org.jspecify.annotations.NullMarked;

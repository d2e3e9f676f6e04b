/**
 * Charts as SVG and PNG files, drawn by JFreeChart. The same input gives the same bytes on the same machine.
 *
 * <p>
 * Independent of the rest of the project. In this module because the command line is the lowest module that draws.
 */
@NullMarked
package org.restorej.cli.plot;

import org.jspecify.annotations.NullMarked;

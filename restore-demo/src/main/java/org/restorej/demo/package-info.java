/**
 * A program that keeps working when PEs fail, and the command {@code restore demo} that starts it.
 *
 * <p>
 * Order of the packages, each of which calls only what stands below it:
 *
 * <pre>
 * demo                        DemoCommand: the command of the demo
 * demo.phylo                  its options and reports, and where PEs run
 * demo.phylo.run              the program of phylo: the likelihood of patterns on many PEs, failures on schedule
 * demo.phylo.likelihood       the likelihood of patterns on one PE; branch lengths and alpha of the greatest one
 * demo.phylo.alignment  demo.phylo.tree  demo.phylo.model     what a likelihood is of
 * </pre>
 *
 * <p>
 * Packages of one line don't call one another. {@code phylo.likelihood} and what stands below it in {@code phylo} know
 * of no PEs. All may call {@code org.restorej.cli.command}, and {@code phylo} calls {@code org.restorej.cli.plot}; below
 * are the libraries. Only the command line calls this module, which it finds as an
 * {@link org.restorej.cli.command.AddedCommand}.
 */
@NullMarked
package org.restorej.demo;

import org.jspecify.annotations.NullMarked;

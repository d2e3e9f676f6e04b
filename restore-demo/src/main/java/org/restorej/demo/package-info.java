/**
 * A program that keeps working when PEs fail, and the command {@code restore demo} that starts it.
 *
 * <p>
 * Order of the packages, each of which calls only what stands below it:
 *
 * <pre>
 * demo                        DemoCommand: the command of the demo
 * demo.phylo                  its options and reports
 * demo.phylo.run              the program of phylo: the likelihood of patterns on many PEs
 * demo.phylo.optimize         branch lengths and alpha of greatest likelihood
 * demo.phylo.likelihood       the likelihood of patterns on one PE
 * demo.phylo.alignment  demo.phylo.tree  demo.phylo.model     what a likelihood is of
 * demo.command                options and reports of any demo
 * demo.picture  demo.transport                a run as a picture; where PEs are
 * demo.run                    failures on schedule, and what is noted of a run
 * </pre>
 *
 * <p>
 * Packages of one line don't call one another. {@code phylo.optimize} and what stands below it in {@code phylo} know of
 * no PEs and call nothing of {@code command} and below. All may call {@code org.restorej.cli.command}, and
 * {@code picture} calls {@code org.restorej.cli.plot}; below are the libraries. Only the command line calls this
 * module, which it finds as an {@link org.restorej.cli.command.AddedCommand}.
 */
@NullMarked
package org.restorej.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The command line of the project, {@code bin/restore}.
 *
 * <p>
 * The packages, each of which uses only those below it:
 *
 * <pre>
 * cli                RestoreCommand: the commands, and those that other modules add
 * cli.plan           plan and simulate: the failures that a replication level survives
 * cli.redset         redset: inspects and rebuilds files that redset or SCR protects
 * cli.doctor         doctor: checks prerequisites
 * cli.risk           a simulation of the risk of loss
 * cli.command        code shared by all commands
 * cli.plot           charts and pictures
 * </pre>
 *
 * <p>
 * {@code plan} uses {@code risk}, {@code doctor} does not. Below are the libraries. Above are {@code restore-bench} and
 * {@code restore-demo}, which add commands as {@link org.restorej.cli.command.AddedCommand} and use {@code command} and
 * {@code plot}.
 *
 * <p>
 * To add a command, start at {@code RestoreCommand}: a line there, or a {@code cli.command.AddedCommand} of another
 * module with its services file; a class with picocli's annotations, exit codes and examples.
 */
@NullMarked
package org.restorej.cli;

import org.jspecify.annotations.NullMarked;

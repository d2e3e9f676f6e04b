/**
 * Code shared by all commands, including those of other modules: error messages and exit codes, values of options, and
 * output as text, JSON or picture.
 *
 * <p>
 * Uses {@code plot}, and {@code Mpi} to find out whether this process is a rank. Called by every command; knows none.
 *
 * <p>
 * To change how ranks are started from the jar alone, start at {@code ShippedScripts}, which unpacks
 * {@code bin/mpirun-java}, {@code bin/bootstrap} and {@code bin/lib}, and runs them; the test is
 * {@code cli.JarAloneIT}.
 */
@NullMarked
package org.restorej.cli.command;

import org.jspecify.annotations.NullMarked;

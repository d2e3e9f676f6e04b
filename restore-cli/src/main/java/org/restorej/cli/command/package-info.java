/**
 * What all commands have, those of other modules too: how they say what is wrong and with which exit code, how values
 * of options are read, where results go, as text, JSON or a picture.
 *
 * <p>
 * Calls {@code plot}, and {@code Mpi} to learn whether this process is a rank. Called by every command; knows none.
 *
 * <p>
 * To change how ranks are started from the jar alone, start at {@code ShippedScripts}, which unpacks
 * {@code bin/mpirun-java}, {@code bin/bootstrap} and {@code bin/lib}, and runs them; the test is
 * {@code cli.JarAloneIT}.
 */
@NullMarked
package org.restorej.cli.command;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code doctor}: checks prerequisites and prints the command that fixes each missing one.
 *
 * <p>
 * Each examination looks at one thing and never fails: not being able to look is a finding too. Scripts know which
 * MPIs there are, and one of them is asked; another JVM loads the library that ranks would take, and reports it. Calls
 * {@code command}. Called by the command line only.
 *
 * <p>
 * To add a check, start at {@code DoctorCommand}; what it found is a {@code Finding}.
 */
@NullMarked
package org.restorej.cli.doctor;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code doctor}: checks prerequisites and prints the command that fixes each missing one.
 *
 * <p>
 * Each check examines one thing and never fails: if it can't be examined, that is the finding. The project's scripts
 * list the installed MPIs; a separate JVM loads the library that ranks would use, and reports it. Uses {@code command}.
 * Called by the command line only.
 *
 * <p>
 * To add a check, start at {@code DoctorCommand}; its result is a {@code Finding}.
 */
@NullMarked
package org.restorej.cli.doctor;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code doctor}: what of this machine works, what doesn't, and the command that mends it.
 *
 * <p>
 * Each examination looks at one thing and never fails: not being able to look is a finding too. Which MPIs there are
 * the scripts know, and one of them is asked; which library ranks would take another JVM tells, which loads it. Calls
 * {@code command}. Called by the command line only.
 */
@NullMarked
package org.restorej.cli.doctor;

import org.jspecify.annotations.NullMarked;

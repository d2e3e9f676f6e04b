/**
 * What the runs of all demos have: failures on schedule, and what it took to recover from them.
 *
 * <p>
 * Calls the store and its communicators. Called by each demo's own run, and by the commands that show results.
 */
@NullMarked
package org.restorej.demo.run;

import org.jspecify.annotations.NullMarked;

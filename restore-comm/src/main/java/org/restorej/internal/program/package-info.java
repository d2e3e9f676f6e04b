/**
 * Programs that are begun again by the survivors when a failure escapes from them.
 *
 * <p>
 * Calls {@code org.restorej.comm}; each transport says how one of its PEs gives an attempt up.
 */
@NullMarked
package org.restorej.internal.program;

import org.jspecify.annotations.NullMarked;

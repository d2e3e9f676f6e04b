/**
 * Which processes protect one another: failure groups to redundancy sets, and the descriptors that say which checkpoint
 * is protected how, in code or from a configuration as SCR has it.
 *
 * <p>
 * Pure: no files but the text of a configuration, no communication. Knows {@code scheme} and the descriptors of
 * {@code format}.
 */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

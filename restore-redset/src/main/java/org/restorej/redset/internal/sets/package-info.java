/**
 * Which ranks form redundancy sets: chosen from failure groups, or found again in descriptor files.
 *
 * <p>
 * Pure: no files, no communication. {@code protocol} calls it; it calls {@code format}.
 */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

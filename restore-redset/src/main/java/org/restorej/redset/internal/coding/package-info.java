/**
 * Encodes and rebuilds whole sets whose files are all within reach of this process. Memory is bounded whatever the
 * files' sizes; nothing takes its place before everything is complete on the disk.
 *
 * <p>
 * Calls {@code scheme}, {@code erasure}, {@code format} and {@code files}. The offline tool calls it; programs on
 * several processes use {@code protocol} instead.
 */
@NullMarked
package org.restorej.redset.internal.coding;

import org.jspecify.annotations.NullMarked;

/**
 * Which ranks form redundancy sets: chosen from failure groups, or found again in descriptor files. Which files are of
 * one encoding: {@code EncodingFacts}.
 *
 * <p>
 * Pure: no files, no communication. {@code protocol}, {@code offline} and {@code blocks} call it; it calls {@code
 * format}.
 */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

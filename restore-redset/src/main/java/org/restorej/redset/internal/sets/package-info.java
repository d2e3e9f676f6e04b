/**
 * Which ranks form redundancy sets: chosen from failure groups, or found again in descriptor files. Which files are of
 * one encoding: {@code EncodingFacts}.
 *
 * <p>
 * Pure: no files, no communication. {@code protocol}, {@code offline} and {@code blocks} call it; it calls {@code
 * format}.
 *
 * <p>
 * To change which of several encodings of files counts, start at {@code EncodingFacts}, which says which files
 * contradict one another, and {@code RankPlaces}, which place of a rank counts. Policies are
 * {@code redset.internal.protocol.SetSurvey} and {@code redset.internal.offline.LiveEncoding}.
 */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

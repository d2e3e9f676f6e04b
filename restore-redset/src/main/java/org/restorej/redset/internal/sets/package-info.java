/**
 * Which ranks form redundancy sets: chosen from failure groups, or found again in descriptor files. Which files are of
 * one encoding: {@code EncodingFacts}. What the files of a set's members come to: {@code SetSurvey}.
 *
 * <p>
 * Pure: no files, no communication. {@code protocol}, {@code offline} and {@code blocks} call it; it calls {@code
 * format}.
 *
 * <p>
 * To change which of several encodings of files counts, start at {@code EncodingFacts}, which says which files
 * contradict one another, and {@code RankPlaces}, which place of a rank counts. Of several
 * encodings of a set {@code SetSurvey} takes one; {@code redset.internal.offline.LiveEncoding} goes by descriptor files. To change which
 * redundancy a set gets that is too small for the one asked for, start at {@code ProtectionSettings}.
 */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

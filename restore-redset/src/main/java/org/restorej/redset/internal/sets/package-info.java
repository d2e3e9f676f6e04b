/**
 * The redundancy sets of ranks, chosen from failure groups or reconstructed from descriptor files. Files of one
 * encoding: {@code EncodingFacts}. The state of a set from its members' files: {@code SetSurvey}. No files, no
 * communication. Calls {@code format}; {@code protocol}, {@code offline} and {@code blocks} call this package.
 *
 * <p>
 * To change which of several encodings of files is current, start at {@code EncodingFacts}, which finds contradictions
 * between files, and {@code RankPlaces}, which determines the place of a rank. {@code SetSurvey} chooses one of several
 * encodings of a set; {@code redset.internal.offline.LiveEncoding} uses descriptor files. To change the sets, or the
 * redundancy of one that is too small for the requested one, start at {@code ProtectionSettings}.
 */
@NullMarked
package org.restorej.redset.internal.sets;

import org.jspecify.annotations.NullMarked;

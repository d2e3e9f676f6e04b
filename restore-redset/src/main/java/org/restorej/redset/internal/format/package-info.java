/**
 * The bytes of redset's files: KVTree blocks, descriptor files, headers of redundancy files, file names. Also the
 * two kinds of files that redset doesn't have, for checksums and for journals of commits, and the messages of ranks.
 * What is written is byte for byte what redset writes; what is read may be hostile.
 *
 * <p>
 * Opens no files, but reads from channels that it is given. Everything above calls it; it calls no other package.
 *
 * <p>
 * To change which rank has which chunk, start at {@code ChunkLayout}; bytes of a file, at the class of its name, such as
 * {@code RedundancyHeader} or {@code DescriptorFile}; a journal of commits is {@code CommitJournal}.
 */
@NullMarked
package org.restorej.redset.internal.format;

import org.jspecify.annotations.NullMarked;

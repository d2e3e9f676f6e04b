/**
 * The bytes of redset's files: KVTree blocks, descriptor files, headers of redundancy files, file names. Also
 * ReStore-J's own files, of checksums and journals of commits, and messages between ranks. What is written is byte for
 * byte what redset writes. What is read is not trusted.
 *
 * <p>
 * Opens no files, but reads from open channels. Calls no other package.
 *
 * <p>
 * To change which rank has which chunk, start at {@code ChunkLayout}; bytes of a file, at the class of its name, such
 * as {@code RedundancyHeader} or {@code DescriptorFile}; a journal of commits is {@code CommitJournal}.
 */
@NullMarked
package org.restorej.redset.internal.format;

import org.jspecify.annotations.NullMarked;

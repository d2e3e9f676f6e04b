/**
 * A picture of a run: what each PE did when, and how far the computation had come.
 *
 * <p>
 * {@link org.restorej.demo.run.RunTrace} is what happened; {@link org.restorej.demo.picture.RunPicture} draws it.
 * Calls the pictures of {@code org.restorej.bench.plot} only. Called by {@code run}, which notes what happens, and by
 * {@code command}, which writes the file.
 */
@NullMarked
package org.restorej.demo.picture;

import org.jspecify.annotations.NullMarked;


/**
 * A picture of a run: what each PE did when, and how far the computation had come.
 *
 * <p>
 * {@link org.restorej.demo.picture.RunPicture} draws a {@link org.restorej.demo.run.RunTrace}. Calls {@code run} for
 * that, and {@code org.restorej.cli.plot}. Called by {@code command} only: what notes the trace loads nothing of what
 * draws.
 *
 * <p>
 * To change the picture, start at {@code RunPicture}.
 */
@NullMarked
package org.restorej.demo.picture;

import org.jspecify.annotations.NullMarked;

/**
 * SCR's own files, and configurations in the format of SCR. No other internal package knows them.
 *
 * <p>
 * Files: {@link org.restorej.redset.internal.scr.ScrFileName} is the format of names,
 * {@link org.restorej.redset.internal.scr.ScrFolder} and {@link org.restorej.redset.internal.scr.ScrFolder.Layout} the
 * places, {@link org.restorej.redset.internal.scr.ScrHeader} the content. Commands use them through
 * {@link org.restorej.redset.internal.scr.ScrSets}, which reads headers for the scan of {@code offline}, and
 * {@link org.restorej.redset.internal.scr.ScrPlaces}, which says where data files are. Configurations:
 * {@link org.restorej.redset.internal.scr.ScrConfigurationReader} reads settings from lines, parameters and environment
 * variables.
 *
 * <p>
 * Calls {@code protocol}, {@code offline} and the packages below them. The public {@code ScrConfigurationParser} and
 * the command line call this package.
 *
 * <p>
 * To change names and folders of SCR's files, start at {@code ScrFileName} and {@code ScrFolder}. The other packages
 * see these files as {@code redset.internal.protocol.ProtectedFiles} and {@code redset.internal.coding.SetFormat}.
 */
@NullMarked
package org.restorej.redset.internal.scr;

import org.jspecify.annotations.NullMarked;

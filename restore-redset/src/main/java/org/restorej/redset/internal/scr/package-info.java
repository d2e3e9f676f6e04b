/**
 * SCR's own files, and configurations in the format of SCR. No other internal package knows them.
 *
 * <p>
 * Files: {@link org.restorej.redset.internal.scr.ScrFileName} says what they are called,
 * {@link org.restorej.redset.internal.scr.ScrFolder} and {@link org.restorej.redset.internal.scr.ScrFolder.Layout}
 * where they are, {@link org.restorej.redset.internal.scr.ScrHeader} what is in them. The commands see them by
 * {@link org.restorej.redset.internal.scr.ScrSets}: {@link org.restorej.redset.internal.scr.ScrScan} finds files, and
 * {@link org.restorej.redset.internal.scr.ScrPlaces} says where lost ones go. Configurations:
 * {@link org.restorej.redset.internal.scr.ScrConfigurationReader} takes settings from lines, parameters and variables
 * of the environment.
 *
 * <p>
 * The API's {@code ScrConfigurationParser} and the command line call it. It calls {@code
 * protocol}, {@code offline} and what these call.
 *
 * <p>
 * To change names and folders of SCR's files, start at {@code ScrFileName} and {@code ScrFolder}. The other packages
 * see these files as {@code redset.internal.protocol.ProtectedFiles} and {@code redset.internal.coding.SetFormat}.
 */
@NullMarked
package org.restorej.redset.internal.scr;

import org.jspecify.annotations.NullMarked;

/**
 * SCR's own files, and configurations in the format of SCR. No other internal package knows them.
 *
 * <p>
 * Files: {@link org.restorej.redset.internal.scr.ScrFileName} says what they are called,
 * {@link org.restorej.redset.internal.scr.ScrFolder} and {@link org.restorej.redset.internal.scr.ScrFolder.Layout}
 * where they are, {@link org.restorej.redset.internal.scr.ScrHeader} what is in them. Ranks recover them by
 * {@link org.restorej.redset.internal.scr.ScrRankFiles}, one process by
 * {@link org.restorej.redset.internal.scr.ScrSets}: {@link org.restorej.redset.internal.scr.ScrScan} finds files, and
 * {@link org.restorej.redset.internal.scr.ScrPlaces} says where lost ones go. Configurations:
 * {@link org.restorej.redset.internal.scr.ScrConfigurationReader} knows which line, parameter, variable of the
 * environment or default each setting is from.
 *
 * <p>
 * The API's {@code ScrConfigurationParser} and {@code Redset}, and the command line, call it. It calls {@code
 * protocol}, {@code offline} and what these call.
 *
 * <p>
 * To change names and folders of SCR's files, start at {@code ScrFileName} and {@code ScrFolder}. The other packages
 * see these files as {@code redset.internal.protocol.ForeignFiles} and {@code redset.internal.coding.SetFormat}.
 */
@NullMarked
package org.restorej.redset.internal.scr;

import org.jspecify.annotations.NullMarked;

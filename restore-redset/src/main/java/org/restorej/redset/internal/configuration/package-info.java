/**
 * Configurations in the format of SCR: which line, parameter, variable of the environment or default each setting is
 * from.
 *
 * <p>
 * {@code ScrConfigurationParser} and the command line call it. It calls no other package but that of the API, whose
 * values it makes.
 */
@NullMarked
package org.restorej.redset.internal.configuration;

import org.jspecify.annotations.NullMarked;

/**
 * What all communicators ask of the arguments of a message, the tags that applications don't have, and the end of what is
 * under way, and numbers that an agreement compares.
 *
 * <p>
 * Calls nothing else of this project. Used by the contract, the transports, and loops, rows and objects.
 */
@NullMarked
package org.restorej.internal.message;

import org.jspecify.annotations.NullMarked;

/**
 * What all communicators ask of the arguments of a message, and the tags that applications don't have.
 *
 * <p>
 * Calls nothing else of this project. Used by the contract, the transports, and loops, rows and objects.
 */
@NullMarked
package org.restorej.internal.message;

import org.jspecify.annotations.NullMarked;

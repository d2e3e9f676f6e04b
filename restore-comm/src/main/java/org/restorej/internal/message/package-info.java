/**
 * Checks of arguments of messages, reserved tags, and numbers that an agreement compares.
 *
 * <p>
 * Uses nothing else of this project. Used by the communicator interface, the transports, and loops, rows and objects.
 */
@NullMarked
package org.restorej.internal.message;

import org.jspecify.annotations.NullMarked;

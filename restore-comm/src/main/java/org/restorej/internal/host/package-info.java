/**
 * The name of this machine, by which failure domains are told apart. Calls nothing of the project; the builders of
 * stores and of redset call it. To change it, start at {@code HostName}.
 */
@NullMarked
package org.restorej.internal.host;

import org.jspecify.annotations.NullMarked;

/**
 * The name of this machine, which distinguishes failure domains. Uses nothing of the project; called by the builders of
 * stores and of redset. To change it, start at {@code HostName}.
 */
@NullMarked
package org.restorej.internal.host;

import org.jspecify.annotations.NullMarked;

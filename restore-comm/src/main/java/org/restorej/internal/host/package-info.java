/** What this machine is called. */
@NullMarked
package org.restorej.internal.host;

import org.jspecify.annotations.NullMarked;

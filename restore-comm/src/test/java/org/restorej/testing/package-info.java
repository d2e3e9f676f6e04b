/** What tests of several packages share. */
@NullMarked
package org.restorej.testing;

import org.jspecify.annotations.NullMarked;

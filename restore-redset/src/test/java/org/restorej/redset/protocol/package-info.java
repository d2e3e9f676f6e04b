/** Tests of plans, which need no communication. */
@NullMarked
package org.restorej.redset.protocol;

import org.jspecify.annotations.NullMarked;

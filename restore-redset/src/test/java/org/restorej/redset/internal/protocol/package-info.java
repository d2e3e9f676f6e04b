/** Tests of plans, which need no communication. */
@NullMarked
package org.restorej.redset.internal.protocol;

import org.jspecify.annotations.NullMarked;

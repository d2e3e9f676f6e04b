/** Tests of the arithmetic: one contract for every kernel. */
@NullMarked
package org.restorej.redset.internal.erasure;

import org.jspecify.annotations.NullMarked;

/** Tests of the arithmetic: one contract for every kernel. */
@NullMarked
package org.restorej.internal.erasure;

import org.jspecify.annotations.NullMarked;

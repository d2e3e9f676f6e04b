/** Tests of {@code scheme}. */
@NullMarked
package org.restorej.redset.scheme;

import org.jspecify.annotations.NullMarked;

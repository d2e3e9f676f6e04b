/**
 * Whether the libraries can still be used as before by who was compiled against an older version. Started by
 * {@code bin/api-check}.
 */
@NullMarked
package org.restorej.tools.api;

import org.jspecify.annotations.NullMarked;

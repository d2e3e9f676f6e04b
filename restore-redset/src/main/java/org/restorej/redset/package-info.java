/**
 * Redundancy for node-local files: SINGLE, PARTNER, XOR and Reed-Solomon, byte-compatible with LLNL's redset.
 */
@NullMarked
package org.restorej.redset;

import org.jspecify.annotations.NullMarked;

/** What the tests of several packages share: seeds, vectors, directories. */
@NullMarked
package org.restorej.redset;

import org.jspecify.annotations.NullMarked;

/** Tests of files, and a file system that fails where it is told to. */
@NullMarked
package org.restorej.redset.internal.files;

import org.jspecify.annotations.NullMarked;

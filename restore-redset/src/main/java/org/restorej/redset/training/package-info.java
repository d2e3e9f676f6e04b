/** What is called of the protection of files while an AOT cache is trained. */
@NullMarked
package org.restorej.redset.training;

import org.jspecify.annotations.NullMarked;

/** What looks after the project itself is in this module's tests: of the documents, the architecture and the scripts. */
@NullMarked
package org.restorej.tools;

import org.jspecify.annotations.NullMarked;

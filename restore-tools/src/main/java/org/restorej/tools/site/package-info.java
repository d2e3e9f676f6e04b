/**
 * The site: the documentation as pages, and the Javadoc of the libraries, in one folder that works from a disk. Calls
 * {@code markdown}; started by {@code bin/site}.
 */
@NullMarked
package org.restorej.tools.site;

import org.jspecify.annotations.NullMarked;

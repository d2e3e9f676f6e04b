/**
 * What loops, rows and objects need of a store and of each other, and applications can't have: the way around the
 * borders of packages.
 *
 * <p>
 * Calls {@code internal.operation} and packages below it. A store is a {@code StoreHandle};
 * loops, rows and objects use {@code StoreAccess}.
 *
 * <p>
 * To change what they may do with a store that applications may not, start at {@code StoreAccess}; how a loop keeps
 * data that submit a copy of themselves, at {@code CopiedData}.
 */
@NullMarked
package org.restorej.internal.access;

import org.jspecify.annotations.NullMarked;

/**
 * Operations that loops, rows and objects need on a store, and that are not available to
 * applications. A store is a {@code StoreHandle}; loops, rows and objects use {@code StoreAccess}. Calls
 * {@code internal.operation} and packages below it.
 *
 * <p>
 * To change what they may do with a store, start at {@code StoreAccess}.
 */
@NullMarked
package org.restorej.internal.access;

import org.jspecify.annotations.NullMarked;

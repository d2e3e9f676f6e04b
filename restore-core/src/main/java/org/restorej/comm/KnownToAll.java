package org.restorej.comm;

/** What every PE throws from the same operation, so that nobody has to be told that one of them has. */
public interface KnownToAll {}

package org.restorej.cli.command;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * A command that another module adds to {@code restore}. {@link java.util.ServiceLoader} finds it if that module is on
 * the class path, so the command line doesn't depend on the module.
 */
public interface AddedCommand extends Callable<Integer> {
    /**
     * The arguments of a command line, with optional ones added.
     *
     * @param words all arguments of {@code restore}, the first of which may be another command
     * @return a new list, or the same
     */
    default List<String> completed(List<String> words) {
        return words;
    }
}

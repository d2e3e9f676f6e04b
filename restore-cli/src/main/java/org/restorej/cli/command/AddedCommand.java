package org.restorej.cli.command;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * A command that another module adds to {@code restore}. {@link java.util.ServiceLoader} finds it when that module is
 * on the class path, so the command line itself needs nothing of what the command is made of.
 */
public interface AddedCommand extends Callable<Integer> {
    /**
     * The words of a command line with those that may be left out.
     *
     * @param words all words behind {@code restore}, the first of which may be another command
     * @return a new list, or the same
     */
    default List<String> completed(List<String> words) {
        return words;
    }
}

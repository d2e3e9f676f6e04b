package org.restorej.tools.docs;

import java.util.ArrayList;
import java.util.List;
import org.restorej.tools.markdown.CodeBlock;

/**
 * A command line of the documentation.
 *
 * @param block where it is
 * @param text as a shell reads it
 * @param expected what it is said to print, in parts
 * @param mustSucceed whether exit code 0 is expected; otherwise the next command shows the exit code
 */
record ShellCommand(CodeBlock block, String text, List<String> expected, boolean mustSucceed) {
    private static final String PROMPT = "$ ";
    /** In place of output that is left out. */
    private static final String LEFT_OUT = "...";
    private static final String SHOW_EXIT_CODE = "echo $?";

    /** Copies the list. */
    ShellCommand {
        expected = List.copyOf(expected);
    }

    /**
     * The commands of a block: each line of {@code sh}, or what follows a prompt in {@code console}, where the other
     * lines are output. A line that ends in a backslash goes on in the next.
     */
    static List<ShellCommand> of(CodeBlock block) {
        boolean console = block.language().equals("console");
        List<String> texts = new ArrayList<>();
        List<List<String>> outputs = new ArrayList<>();
        boolean open = false;
        for (String line : block.text().lines().toList()) {
            if (open) {
                texts.add(texts.removeLast() + "\n" + line);
            } else if (!console || line.startsWith(PROMPT)) {
                texts.add(console ? line.substring(PROMPT.length()) : line);
                outputs.add(new ArrayList<>());
            } else if (!outputs.isEmpty() && !line.strip().equals(LEFT_OUT)) {
                outputs.getLast().add(line);
            }
            open = line.endsWith("\\");
        }
        List<ShellCommand> commands = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            boolean shown = i + 1 < texts.size() && texts.get(i + 1).equals(SHOW_EXIT_CODE);
            if (!texts.get(i).isBlank() && !texts.get(i).startsWith("#")) {
                commands.add(new ShellCommand(block, texts.get(i), outputs.get(i), !shown));
            }
        }
        return commands;
    }

    /** For people: its place and text. */
    String describe() {
        return block.place() + ": " + text;
    }

    /**
     * The first part of the expected output that has not been printed after the parts before it; empty when there is
     * none. Times and the amount of white space don't matter.
     */
    String missingIn(String printed) {
        String left = normalized(printed);
        for (String line : expected) {
            String wanted = normalized(line);
            int at = left.indexOf(wanted);
            if (at < 0) {
                return line;
            }
            left = left.substring(at + wanted.length());
        }
        return "";
    }

    private static String normalized(String text) {
        return text.replaceAll("[0-9][0-9.,]* (ms|s)\\b", "# $1").replaceAll("\\s+", " ").strip();
    }
}

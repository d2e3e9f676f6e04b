package org.restorej.tools.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** Runs the commands of one document, one after the other, in one shell and a folder that looks like the project's. */
final class ShellSession implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 420;
    /** Printed after each command, with its number and exit code. */
    private static final String MARK = "<<<<end of command ";
    private static final Pattern END = Pattern.compile("\n?" + MARK + "(\\d+): (\\d+)>>>>\n");

    private final Path folder;
    private final List<Path> links = new ArrayList<>();

    /**
     * A session.
     *
     * @param folder an empty folder
     */
    ShellSession(Path folder) throws IOException {
        this.folder = folder;
        for (String part : List.of("bin", "restore-cli", "restore-demo", "examples")) {
            links.add(Files.createSymbolicLink(folder.resolve(part), ProjectFolder.root().resolve(part)));
        }
    }

    /** Writes a file that commands use. */
    void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    /**
     * Runs commands.
     *
     * @return a line for each that didn't end or print as it should
     */
    List<String> mistakes(List<ShellCommand> commands) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder("exec 2>&1 < /dev/null\nstatus=0\n");
        for (int i = 0; i < commands.size(); i++) {
            script.append("(exit $status)\neval ").append(quoted(commands.get(i).text()))
                    .append("\nstatus=$?\necho; echo '")
                    .append(MARK).append(i).append(": '$status'>>>>'\n");
        }
        // Ends it, so that what it has printed until then is there.
        ProcessBuilder builder = new ProcessBuilder("timeout", Integer.toString(TIMEOUT_SECONDS), "bash", "-c",
                script.toString()).directory(folder.toFile());
        builder.environment().merge("PATH", Path.of(System.getProperty("java.home"), "bin").toString(),
                (path, java) -> java + ":" + path);
        return mistakes(commands, ProcessRun.of(builder).output());
    }

    private static List<String> mistakes(List<ShellCommand> commands, String output) {
        List<String> mistakes = new ArrayList<>();
        Matcher end = END.matcher(output);
        int start = 0;
        for (ShellCommand command : commands) {
            if (!end.find()) {
                mistakes.add(command.describe() + "\n  has not ended within " + TIMEOUT_SECONDS + " s; it has printed\n"
                        + output.substring(start)
                        + "\n  what takes long needs a comment before its block: <!-- needs: minutes -->");
                return mistakes;
            }
            String printed = output.substring(start, end.start());
            String missing = command.missingIn(printed);
            if (!missing.isEmpty()) {
                mistakes.add(command.describe() + "\n  should print: " + missing + "\n  has printed:\n" + printed);
            }
            if (command.mustSucceed() && !end.group(2).equals("0")) {
                mistakes.add(command.describe() + "\n  exit code " + end.group(2) + ":\n" + printed);
            }
            start = end.end();
        }
        return mistakes;
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** Takes the project out of the folder, which may be deleted then. */
    @Override
    public void close() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }
}

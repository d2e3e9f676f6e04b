package org.restorej.cli.redset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.JsonText;
import org.restorej.internal.host.HostName;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.ScrConfigurationParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code config}: prints the settings of a configuration for a checkpoint. */
@Command(name = "config", description = "Says how a configuration in SCR's format protects a checkpoint.",
        mixinStandardHelpOptions = true, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:what applies was printed", "2:wrong usage, or errors in FILE",
                "4:failed for another reason, such as a disk that can't be read"},
        footer = {"%nExamples:",
                "  restore redset config scr.conf --checkpoint 16",
                "  restore redset config scr.conf --checkpoint 16 --host node7 --json"})
final class ConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "configuration in SCR's format")
    private Path file = Path.of("");

    @Option(names = "--checkpoint", paramLabel = "N", required = true,
            description = "number of the checkpoint, at least 0")
    private long checkpoint;

    @Option(names = "--host", paramLabel = "NAME",
            description = "the host, as GROUPS lines name it; default: this one. "
                    + "What only the environment of another host says is unknown here")
    private String host = HostName.orLocalhost();

    @Option(names = "--json", description = "for programs: one object")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        List<String> problems = CommandErrors.ofParsing(command);
        if (checkpoint < 0) {
            problems.add("--checkpoint must be at least 0: --checkpoint=" + checkpoint);
        }
        if (command.commandLine().getParseResult().hasMatchedPositional(0) && !Files.isRegularFile(file)) {
            problems.add("FILE must be a file: " + file);
        }
        if (!problems.isEmpty()) {
            throw wrong(String.join(System.lineSeparator(), problems));
        }
        Map<String, String> settings;
        try {
            settings = settings(ScrConfigurationParser.parse(Files.readString(file)));
        } catch (CharacterCodingException notText) {
            throw wrong("FILE must be text in UTF-8: " + file);
        } catch (ConfigurationException errors) {
            throw wrong(String.join(System.lineSeparator(),
                    errors.problems().stream().map(problem -> file + ": " + problem).toList()));
        }
        PrintWriter out = command.commandLine().getOut();
        if (json) {
            printJson(out, settings);
        } else {
            print(out, settings);
        }
        out.flush();
        return RedsetCommand.WHOLE;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    private Map<String, String> settings(RedundancyConfiguration configuration) {
        RedundancyDescriptor descriptor = configuration.forCheckpoint(checkpoint);
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("interval", Long.toString(descriptor.interval()));
        settings.put("scheme", descriptor.scheme().toString());
        settings.put("set size", Integer.toString(descriptor.setSize()));
        settings.put("store", descriptor.store().toString());
        settings.put("group", descriptor.group());
        settings.put("label of " + host, configuration.failureGroup(descriptor.group(), host).orElse("none"));
        settings.put("kept", Integer.toString(configuration.keepCount(descriptor.store())));
        return settings;
    }

    private void print(PrintWriter out, Map<String, String> settings) {
        out.println("checkpoint " + checkpoint);
        int width = settings.keySet().stream().mapToInt(String::length).max().orElse(0) + 2;
        settings.forEach((name, value) -> out.println("  " + name + " ".repeat(width - name.length()) + value));
    }

    private void printJson(PrintWriter out, Map<String, String> settings) {
        ObjectNode root = JsonText.object().put("checkpoint", checkpoint).put("host", host);
        settings.forEach(root.putObject("settings")::put);
        out.print(JsonText.of(root));
    }
}

package org.restorej.redset.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.restorej.internal.host.HostName;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;
import org.restorej.redset.internal.scr.ScrConfiguration;
import org.restorej.redset.internal.scr.ScrConfigurationReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What of a configuration applies to a checkpoint, and why. */
@Command(name = "config", description = "Says how a configuration in SCR's format protects a checkpoint, and why.",
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
        if (checkpoint < 0) {
            throw wrong("--checkpoint must be at least 0: --checkpoint=" + checkpoint);
        }
        if (!Files.isRegularFile(file)) {
            throw wrong("FILE must be a file: " + file);
        }
        List<ScrConfiguration.Setting> settings;
        try {
            ScrConfiguration read = ScrConfigurationReader.read(Files.readString(file), System.getenv(),
                    HostName.orLocalhost());
            settings = read.explain(checkpoint, host);
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

    private void print(PrintWriter out, List<ScrConfiguration.Setting> settings) {
        out.println("checkpoint " + checkpoint);
        int name = settings.stream().mapToInt(setting -> setting.name().length()).max().orElse(0);
        int value = settings.stream().mapToInt(setting -> setting.value().length()).max().orElse(0);
        for (ScrConfiguration.Setting setting : settings) {
            out.println("  " + setting.name() + " ".repeat(name - setting.name().length() + 2) + setting.value()
                    + " ".repeat(value - setting.value().length() + 2) + setting.source());
        }
    }

    private void printJson(PrintWriter out, List<ScrConfiguration.Setting> settings) {
        ObjectNode root = SetJson.object().put("checkpoint", checkpoint).put("host", host);
        ArrayNode list = root.putArray("settings");
        for (ScrConfiguration.Setting setting : settings) {
            list.addObject().put("name", setting.name()).put("value", setting.value()).put("source", setting.source());
        }
        SetJson.print(out, root);
    }
}

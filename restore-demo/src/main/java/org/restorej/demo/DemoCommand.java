package org.restorej.demo;

import java.util.ArrayList;
import java.util.List;
import org.restorej.cli.command.AddedCommand;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.demo.phylo.PhyloCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The demo; options without a name go to {@code phylo}. */
@Command(name = "demo", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        subcommands = PhyloCommand.class,
        description = "A program that keeps working when PEs fail. Options without its name go to phylo.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the result is that of a run without failures", "1:it isn't, or data are lost",
                "2:wrong options or input", "75:to be continued: the same command goes on from its files"},
        footer = {"%nExamples:", "  restore demo --pes 8 --fail 2@2,6@3", "  restore demo phylo --coded 4+2"})
public final class DemoCommand implements AddedCommand {
    private static final String NAME = "demo";
    private static final String DEFAULT_DEMO = "phylo";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    /** Options without a demo's name are for the one there is. */
    @Override
    public List<String> completed(List<String> words) {
        if (words.isEmpty() || !words.getFirst().equals(NAME) || (words.size() > 1 && !words.get(1).startsWith("-"))) {
            return words;
        }
        List<String> all = new ArrayList<>(words);
        all.add(1, DEFAULT_DEMO);
        return all;
    }

    @Override
    public Integer call() {
        return CommandErrors.noCommand(spec);
    }
}

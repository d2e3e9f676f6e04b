package org.restorej.demo;

import java.util.concurrent.Callable;
import org.restorej.demo.kmeans.KMeansCommand;
import org.restorej.demo.pagerank.PageRankCommand;
import org.restorej.demo.phylo.PhyloCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The demos; options without one's name go to {@code phylo}. */
@Command(name = "demo", mixinStandardHelpOptions = true, versionProvider = RestoreCommand.Version.class, subcommands = {
        PhyloCommand.class,
        KMeansCommand.class,
        PageRankCommand.class}, description = "Programs that keep working when PEs die. Options without a program's name go to phylo.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the result is that of a run without failures", "1:it isn't, or data are lost",
                "2:wrong options or input"}, footer = {"%nExamples:", "  restore demo --pes 8 --fail 2@2,6@3",
                        "  restore demo kmeans", "  restore demo pagerank"})
public final class DemoCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Override
    public Integer call() {
        return CommandErrors.noCommand(spec);
    }
}

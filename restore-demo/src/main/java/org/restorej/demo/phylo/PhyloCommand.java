package org.restorej.demo.phylo;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A phylogenetic likelihood, spread over PEs, some of which fail in the middle. */
@Command(name = "phylo", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class, sortOptions = false,
        description = "The log-likelihood of a tree for an alignment, with its site patterns spread over PEs, some of "
                + "which fail in the middle. The others pull what was lost from ReStore and finish, with the same "
                + "answer as without failures.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the answer is that of a run without failures",
                "1:it isn't, patterns are lost, or the files are of another run",
                "2:wrong options or input", "75:to be continued: the same command goes on from its files"},
        footer = {"%nExamples:", "  restore demo phylo --pes 8 --fail 2@2,6@3",
                "  restore demo phylo --alignment a.phy --tree t.nwk --model JC+G4{0.5}",
                "  restore demo phylo --transport mpi --pes 8 --kill 2@5,6@9",
                "  restore demo phylo --restarts 2 --kill 2@5",
                "  restore demo phylo --mode optimize --fail 2@2,6@3 --picture phylo.svg"})
public final class PhyloCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Mixin
    private final PhyloOptions options = new PhyloOptions();

    @Override
    public Integer call() throws IOException {
        List<String> errors = CommandErrors.ofParsing(spec);
        Optional<PhyloRequest> checked = PhyloRequest.of(options, errors);
        if (checked.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        return new PhyloJob(checked.get(), spec).run();
    }
}

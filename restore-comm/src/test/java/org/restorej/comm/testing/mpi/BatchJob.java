package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.testing.ProjectFolder;

/**
 * An MPI job that Slurm runs on nodes, as what is started and ended like any other job: a process that submits it and
 * waits.
 */
final class BatchJob {
    /** Exit code when the job is over, and nothing has told how what it ran has ended. */
    static final int UNKNOWN = 125;

    /**
     * Submits, waits, and ends with the exit code of what was run; cancels the job when it is ended itself. By itself
     * {@code sbatch --wait} asks less and less often, up to every 32 s. A controller that doesn't answer says nothing
     * about the job.
     */
    private static final String SUBMIT = """
            folder=$1
            job=$(sbatch --parsable "${@:2}") || exit
            trap 'scancel "$job"' EXIT
            trap 'exit 143' TERM
            # A job with a lost node counts as completing for a while after it.
            while [[ ! -s $folder/exit-code ]]; do
              if left=$(squeue --noheader --job "$job" 2>&1); then
                [[ -n $left ]] || break
              elif [[ $left == *'Invalid job id'* ]]; then
                break
              fi
              sleep 0.2
            done
            [[ ! -s $folder/exit-code ]] || exit "$(< "$folder/exit-code")"
            scontrol show job "$job"
            exit %d
            """.formatted(UNKNOWN);

    private BatchJob() {}

    /** The beginning of a command that submits a job; the rest are options of {@code bin/mpirun-java}. */
    static List<String> command(Nodes nodes, List<String> options, Path folder, Path log, int ranks)
            throws IOException {
        Path script = folder.resolve("batch.sh");
        Files.writeString(script, "#!/bin/bash\n\"$@\"\necho $? > '" + folder + "/exit-code'\n");
        List<String> command = new ArrayList<>(nodes.slurmCommand("bash", "-c", SUBMIT, "submit", folder.toString(),
                "--output=" + log, "--open-mode=append"));
        command.addAll(options);
        command.addAll(List.of(script.toString(), ProjectFolder.script("mpirun-java").toString(), "-n",
                Integer.toString(ranks)));
        return command;
    }
}

package org.restorej;

import java.util.List;
import org.restorej.internal.operation.SubmissionEntry;

/** What is in a submission, for tests of other packages. */
public final class SubmissionEntries {
    private SubmissionEntries() {}

    /** Its runs of blocks, in the order in which they were added. */
    public static List<SubmissionEntry> of(Submission submission) {
        return submission.entries();
    }
}

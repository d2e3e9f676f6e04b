package org.restorej.redset.internal.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.RedsetException;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.ScrFileName;

/**
 * What a rank has found when a recovery begins, as it tells all others.
 *
 * @param descriptor a descriptor file as bytes: redset's, or one that says what a header of SCR does; empty when
 *        there is none
 * @param scr of which files of SCR itself this rank knows, and what is wrong with them; empty when there are none
 * @param scrFile name of this rank's XOR file of SCR; empty when there is none that is sound
 * @param scrHidden where that is hidden below the folder of the data; empty when it is beside these
 * @param dataset which data set of SCR it is of, with a CRC-32 of all that is recorded of it; empty when it is of none
 */
@SuppressWarnings("ArrayRecordComponent") // Sent and parsed; never compared.
record RecoveryStart(byte[] descriptor, String scr, String scrFile, String scrHidden, String dataset) {
    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(scr);
            out.writeUTF(scrFile);
            out.writeUTF(scrHidden);
            out.writeUTF(dataset);
            out.write(descriptor);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static RecoveryStart decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String scr = in.readUTF();
            String scrFile = in.readUTF();
            String scrHidden = in.readUTF();
            String dataset = in.readUTF();
            return new RecoveryStart(in.readAllBytes(), scr, scrFile, scrHidden, dataset);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private boolean isOfScr() {
        return !scr.isEmpty();
    }

    /** What the descriptor says. */
    Optional<DescriptorFile> descriptorFile() {
        try {
            return descriptor.length == 0 ? Optional.empty() : Optional.of(DescriptorFile.decode(descriptor));
        } catch (IOException impossible) {
            throw new IllegalStateException("every rank tells of a descriptor file that it has read itself",
                    impossible);
        }
    }

    /**
     * Whether files of SCR itself are to be recovered. Every rank computes the same.
     *
     * @throws RedsetException when ranks have files of both kinds, or of several data sets of SCR, or none of SCR's
     *         can be used
     */
    static boolean areOfScr(List<RecoveryStart> starts, String operation) {
        if (starts.stream().noneMatch(RecoveryStart::isOfScr)) {
            return false;
        }
        boolean mixed = starts.stream().anyMatch(start -> !start.isOfScr() && start.descriptor.length > 0);
        boolean useless = starts.stream().allMatch(start -> start.descriptor.length == 0);
        if (mixed || useless) {
            SortedMap<Integer, String> failures = new TreeMap<>();
            for (int rank = 0; rank < starts.size(); rank++) {
                if (starts.get(rank).isOfScr()) {
                    failures.put(rank, starts.get(rank).scr
                            + (mixed ? ": is of SCR itself, while other ranks have files of redset" : ""));
                }
            }
            throw new RedsetException(operation, failures);
        }
        requireOneDataset(starts, operation);
        return true;
    }

    private static void requireOneDataset(List<RecoveryStart> starts, String operation) {
        SortedMap<Integer, String> failures = new TreeMap<>();
        Set<String> datasets = new HashSet<>();
        for (int rank = 0; rank < starts.size(); rank++) {
            String dataset = starts.get(rank).dataset;
            if (!dataset.isEmpty()) {
                datasets.add(dataset);
                failures.put(rank, starts.get(rank).scr + ": is of data set " + dataset
                        + ", and all ranks must have files of the same one");
            }
        }
        if (datasets.size() > 1) {
            throw new RedsetException(operation, failures);
        }
    }

    /** What a member of the set of SCR that a rank is in has told; there is one where its place is known. */
    static RecoveryStart ofMemberOfSet(int worldRank, List<RecoveryStart> starts) {
        return starts.stream()
                .filter(start -> start.descriptorFile().filter(file -> file.byWorldRank().containsKey(worldRank))
                        .isPresent())
                .findFirst().orElseThrow();
    }

    /** The name of an XOR file of SCR's. */
    ScrFileName scrFileName() {
        return ScrFileName.parse(scrFile).orElseThrow();
    }
}

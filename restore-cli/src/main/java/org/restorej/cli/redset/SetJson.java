package org.restorej.cli.redset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.restorej.cli.command.JsonText;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.scr.ScrSets;

/** Prints findings as one JSON object. Sets are numbered from 1 and ranks from 0, as in file names. */
final class SetJson {
    private SetJson() {}

    /** Prints sets with their members and files. */
    static void print(PrintWriter out, SetFindings findings) {
        print(out, findings, findings.exitCode(), List.of(), List.of());
    }

    /**
     * Prints sets with their members and files.
     *
     * @param failures why a command that does more than inspect has failed
     * @param rebuilt names of sets that were rebuilt
     */
    static void print(PrintWriter out, SetFindings findings, int exitCode, List<String> failures,
            List<String> rebuilt) {
        ObjectNode root = JsonText.object().put("exitCode", exitCode);
        failures.forEach(root.putArray("failures")::add);
        ArrayNode sets = root.putArray("sets");
        findings.content().sets().forEach(set -> putSet(sets.addObject(), set));
        ArrayNode files = root.putArray("files");
        findings.files().forEach(file -> putFile(files.addObject(), file));
        ArrayNode problems = root.putArray("problems");
        findings.content().problems().forEach(problem -> problems.add(problem.message()));
        if (findings.isNothing() && failures.isEmpty()) {
            problems.add(SetFindings.NOTHING);
        }
        ArrayNode stale = root.putArray("stale");
        findings.content().stale().forEach((path, encoding) -> stale.addObject().put("path", path.toString())
                .put("encoding", encoding));
        findings.content().interruptions().forEach(root.putArray("interruptions")::add);
        rebuilt.forEach(root.putArray("rebuilt")::add);
        out.print(JsonText.of(root));
        out.flush();
    }

    private static void putFile(ObjectNode node, SetFindings.SetFile file) {
        file.set().ifPresent(set -> node.put("set", set.name().number()));
        node.put("kind", file.kind()).put("path", file.path().toString()).put("missing", file.missing());
    }

    private static void putSet(ObjectNode node, SetInspection inspection) {
        boolean isOfScr = inspection.name() instanceof ScrSets.Name;
        if (inspection.name() instanceof ScrSets.Name name) {
            node.put("dataset", name.dataset());
            name.directories().forEach(directory -> node.withArray("directories").add(directory.toString()));
        } else if (inspection.name() instanceof SetInspection.SetName.OfRedset name) {
            node.put("prefix", name.prefixes().getFirst()).put("ofSets", name.groups());
            name.prefixes().forEach(node.putArray("prefixes")::add);
        }
        node.put("format", isOfScr ? "SCR" : "redset");
        node.put("set", inspection.name().number());
        node.put("scheme", inspection.place().scheme().toString());
        node.put("state", inspection.state().name().toLowerCase(Locale.ROOT));
        ArrayNode members = node.putArray("members");
        inspection.members().forEach((rank, member) -> members.addObject().put("rank", rank)
                .put("worldRank", member.record().descriptor().worldRank()).put("files", member.record().files().size())
                .put("bytes", member.record().totalBytes()).put("missing", member.missing()));
        ArrayNode damages = node.putArray("damages");
        for (SetInspection.Damage damage : inspection.damages()) {
            ObjectNode found = damages.addObject();
            if (damage.rank() >= 0) {
                found.put("rank", damage.rank());
            }
            found.put("message", damage.message());
        }
        inspection.notes().forEach(node.putArray("notes")::add);
    }
}

package org.restorej.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.restorej.cli.command.JsonText;
import org.restorej.cli.command.Redundancy;
import org.restorej.report.Probability;

/** A plan as JSON. Memory is in bytes, time in hours. */
final class PlanJson {
    private PlanJson() {}

    /** The JSON object of a plan. */
    static String of(RiskPlan plan) {
        ObjectNode root = JsonText.object();
        putLayout(root, plan.layout());
        root.put("dataBytesPerPe", plan.dataBytesPerPe());
        plan.mission().ifPresent(mission -> root.putObject("run").put("hours", mission.hours())
                .put("mtbfNodeHours", mission.mtbfNodeHours())
                .put("expectedNodeFailures", mission.expectedFailures(plan.layout().count(FailureUnit.NODE))));
        ArrayNode levels = root.putArray("levels");
        plan.levels().forEach(level -> putLevel(levels.addObject(), plan, level));
        ArrayNode files = root.putArray("files");
        plan.files().forEach(level -> files.addObject().put("storage", level.storage())
                .put("survives", level.survives()).put("saveSeconds", level.saveSeconds())
                .put("intervalSeconds", level.intervalSeconds()).put("shareOfTime", level.share()));
        ArrayNode advice = root.putArray("advice");
        PlanAdvice.of(plan).forEach(advice::add);
        return JsonText.of(root);
    }

    /** Writes the distribution of ranks over the cluster. */
    private static void putLayout(ObjectNode root, ClusterLayout layout) {
        root.put("pes", layout.pes());
        root.put("ranksPerNode", layout.ranksPerNode());
        root.put("nodes", layout.count(FailureUnit.NODE));
        root.put("layout", layout.ranks().toString());
        root.put("failureDomains", layout.tellsDomains());
        if (layout.nodesPerRack() > 0) {
            root.put("nodesPerRack", layout.nodesPerRack());
            root.put("racks", layout.count(FailureUnit.RACK));
        }
    }

    private static void putLevel(ObjectNode node, RiskPlan plan, LevelRisk level) {
        Redundancy redundancy = level.redundancy();
        if (redundancy.isCoded()) {
            node.put("coded", redundancy.value());
        } else {
            node.put("replication", redundancy.parts());
        }
        node.put("memoryFactor", redundancy.memoryFactor());
        node.put("replicaBytesPerPe", plan.replicaBytesPerPe(level));
        node.put("replicaBytesPerNode", plan.replicaBytesPer(FailureUnit.NODE, level));
        node.put("replicaBytes", plan.replicaBytes(level));
        node.put("lostShareReadBytes", (double) plan.dataBytesPerPe() * redundancy.dataParts());
        node.put("fewestFailuresUntilLoss", redundancy.parityParts() + 1);
        node.put("meanRankFailuresUntilLoss", level.expectedRankFailures());
        node.put("meanIsExact", level.isExpectationExact());
        level.missionLoss().ifPresent(loss -> putProbability(node.putObject("lossInRun"), loss));
        ObjectNode units = node.putObject("lossAfterFailures");
        for (LevelRisk.UnitRisk risk : level.units()) {
            ObjectNode unit = units.putObject(risk.unit().toString());
            unit.put("rangesSharingOne", risk.sharingRanges());
            unit.put("failureDomainSeparates", risk.separable());
            ArrayNode points = unit.putArray("points");
            risk.points().forEach(
                    point -> putProbability(points.addObject().put("failures", point.failures()), point.loss()));
        }
    }

    private static void putProbability(ObjectNode node, Probability probability) {
        node.put("probability", probability.value());
        node.put("exact", probability.isExact());
    }
}

package org.restorej.internal.plan;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Which lost replicas go to their new holders, and which sound ones over damaged ones.
 *
 * <p>
 * Both where replicas are and where they are to be are computed, so every PE knows without a message what it has to
 * send and to receive. The holders alive of a block range serve its new holders in turn. All PEs together send the lost
 * replicas, and nothing else. Every PE looks at the ranges of which any replica was ever lost.
 *
 * @param incoming what comes to this PE, by current rank of who sends it
 * @param outgoing what this PE sends, by current rank of who receives it
 * @param decodings what this PE computes from what comes, where blocks are coded; what is on this PE already is among
 *        what comes
 */
public record ReplenishPlan(PieceTable incoming, PieceTable outgoing, List<Decoding> decodings) {
    /** The slot of what is copied as it is; others are one more than those of what something is computed from. */
    public static final long COPIED = 0;

    /**
     * The plan of this PE.
     *
     * @param before where the replicas are
     * @param after where they are to be
     * @param pass whether it moves sizes of blocks
     */
    public static ReplenishPlan of(BlockDirectory before, ReplicaMap after, Peers peers, Pass pass) {
        Planner planner = new Planner(before, after, peers, pass);
        planner.planCopies();
        planner.planRepairs();
        return new ReplenishPlan(planner.incoming.build(peers.size()), planner.outgoing.build(peers.size()),
                planner.computed == null ? List.of() : planner.computed.take());
    }

    private static final class Planner {
        private final BlockDirectory before;
        private final ReplicaMap placed;
        private final ReplicaMap after;
        private final Peers peers;
        private final Pass pass;
        private final PieceTable.Builder incoming = new PieceTable.Builder();
        private final PieceTable.Builder outgoing = new PieceTable.Builder();
        private final int[] placedRanks;
        private final int[] sources;
        private final int[] wantedRanks;
        /** What this PE computes; null where blocks are not coded. */
        private final @Nullable DecodingPlanner computed;

        Planner(BlockDirectory before, ReplicaMap after, Peers peers, Pass pass) {
            this.before = before;
            this.pass = pass;
            this.after = after;
            this.peers = peers;
            placed = before.replicaMap();
            placedRanks = new int[before.replication()];
            sources = new int[before.replication()];
            wantedRanks = new int[before.replication()];
            computed = decodingBy(peers.storeRank());
        }

        private @Nullable DecodingPlanner decodingBy(int storeRank) {
            CodedLayout layout = before.layout();
            return layout == null ? null : new DecodingPlanner(before, layout, storeRank, 0, false, pass);
        }

        void planCopies() {
            if (after == placed || peers.storeRank() < 0) {
                return;
            }
            after.rangesOf(placed.everFailed().union(after.everFailed())).forEach((int range) -> planCopies(range));
        }

        private void planCopies(int range) {
            long first = placed.placement().firstPosition(range);
            long rangeEnd = placed.placement().firstPosition(range + 1);
            while (first < rangeEnd) {
                long end = Math.min(before.end(first), after.end(first));
                CodedLayout layout = before.layout();
                if (layout != null && !before.damaged().isEmpty()) {
                    // Damage of other parts counts, too.
                    end = Math.min(end, layout.cellEnd(first));
                }
                planCopies(range, first, end - first);
                first = end;
            }
        }

        private void planCopies(int range, long first, long count) {
            int placedCount = placed.holders(first, placedRanks);
            int sourceCount = before.holders(first, sources);
            if (sourceCount == 0 && before.layout() == null) {
                return;
            }
            int wantedCount = after.holders(first, wantedRanks);
            // Pieces of a range are served by its holders in turn, and so are the copies of a piece.
            long turn = after.ring().pieceOf(range, first);
            for (int i = 0; i < wantedCount; i++) {
                // A holder whose replica is damaged has memory for it already: that is a repair.
                if (ReplicaMap.isAmong(wantedRanks[i], placedRanks, placedCount)) {
                    continue;
                }
                if (sourceCount == 0) {
                    planDecoding(wantedRanks[i], first, count);
                } else {
                    plan(sources[(int) (turn++ % sourceCount)], wantedRanks[i], first, count);
                }
            }
        }

        void planRepairs() {
            DamagedReplicas damaged = before.damaged();
            damaged.forEach((chunkFirst, damagedRank) -> {
                int placedCount = placed.holders(chunkFirst, placedRanks);
                int soundCount = before.holders(chunkFirst, sources);
                long count = before.grid().chunkEnd(chunkFirst) - chunkFirst;
                if (!ReplicaMap.isAmong(damagedRank, placedRanks, placedCount)) {
                    return;
                }
                if (soundCount > 0) {
                    plan(sources[Math.floorMod(chunkFirst, soundCount)], damagedRank, chunkFirst, count);
                } else if (before.layout() != null && after.holderOfPart(chunkFirst) == damagedRank) {
                    // A part that moves is computed where it goes to.
                    planDecoding(damagedRank, chunkFirst, count);
                }
            });
        }

        private void plan(int from, int to, long position, long count) {
            if (from == peers.storeRank()) {
                outgoing.add(peers.currentRank(to), position, count, COPIED);
            } else if (to == peers.storeRank()) {
                incoming.add(peers.currentRank(from), position, count, COPIED);
            }
        }

        /** Has a PE compute what nobody has, if k parts of its rows are left; cell by cell where sizes differ. */
        private void planDecoding(int to, long position, long count) {
            boolean here = to == peers.storeRank();
            DecodingPlanner planner = Objects.requireNonNull(here ? computed : decodingBy(to));
            CodedLayout layout = Objects.requireNonNull(before.layout());
            long step = layout.isVariable() ? layout.cellBlocks() : count;
            for (long first = position; first < position + count; first += step) {
                int reads = planner.plan(first, step, COPIED) ? planner.reads() : 0;
                for (int read = 0; read < reads; read++) {
                    int from = planner.server(read);
                    if (here) {
                        incoming.add(peers.currentRank(from), planner.position(read), planner.count(read),
                                planner.slot(read) + 1);
                    } else if (from == peers.storeRank()) {
                        outgoing.add(peers.currentRank(to), planner.position(read), planner.count(read),
                                planner.slot(read) + 1);
                    }
                }
            }
        }
    }
}

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
 * The copies of lost replicas to their new holders, and of sound replicas over damaged ones.
 *
 * <p>
 * Old and new places of replicas are computed, so every PE knows without a message what to send and to receive. The
 * surviving holders of a block range serve its new holders in turn. Exactly the lost and damaged replicas are sent.
 * Every PE plans the ranges that ever lost a replica.
 *
 * @param incoming pieces that this PE receives, by current rank of the sender
 * @param outgoing pieces that this PE sends, by current rank of the receiver
 * @param decodings computations of this PE from received pieces, for coded blocks; its own pieces count as received
 */
public record ReplenishPlan(PieceTable incoming, PieceTable outgoing, List<Decoding> decodings) {
    /** The slot of pieces that are copied. Slots of sources of a computation are one higher than in the computation. */
    public static final long COPIED = 0;

    /**
     * The plan of this PE.
     *
     * @param before present places of the replicas
     * @param after new places
     */
    public static ReplenishPlan of(BlockDirectory before, ReplicaMap after, Peers peers) {
        Planner planner = new Planner(before, after, peers);
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
        private final PieceTable.Builder incoming = new PieceTable.Builder();
        private final PieceTable.Builder outgoing = new PieceTable.Builder();
        private final int[] placedRanks;
        private final int[] sources;
        private final int[] wantedRanks;
        /** Computations of this PE; null if blocks are not coded. */
        private final @Nullable DecodingPlanner computed;

        Planner(BlockDirectory before, ReplicaMap after, Peers peers) {
            this.before = before;
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
            return layout == null ? null : new DecodingPlanner(before, layout, storeRank, 0, false);
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
                    // Damage of other parts counts too.
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
            // The holders serve the pieces of a range, and the copies of a piece, in turn.
            long turn = after.ring().pieceOf(range, first);
            for (int i = 0; i < wantedCount; i++) {
                // A holder with a damaged replica already has memory for it: that is a repair.
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
                    // A part that moves is computed at its new holder.
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

        /** Plans the computation of lost positions on a PE if k parts of their rows are left. */
        private void planDecoding(int to, long position, long count) {
            boolean here = to == peers.storeRank();
            DecodingPlanner planner = Objects.requireNonNull(here ? computed : decodingBy(to));
            int reads = planner.plan(position, count, COPIED) ? planner.reads() : 0;
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

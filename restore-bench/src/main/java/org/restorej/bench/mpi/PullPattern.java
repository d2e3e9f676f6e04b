package org.restorej.bench.mpi;

import org.restorej.block.BlockRange;

/** Who wants what; always one run of blocks, or nothing. */
enum PullPattern {
    /** All PEs together want the share of one: what follows the failure of a PE. */
    SHARE {
        @Override
        BlockRange request(StoreShape shape, int rank) {
            return together(shape, 1, rank);
        }
    },
    /** All PEs together want the shares of one PE in a hundred, and of one at least. */
    PERCENT {
        @Override
        BlockRange request(StoreShape shape, int rank) {
            return together(shape, Math.ceilDiv(shape.pes(), 100), rank);
        }
    },
    /** Every PE wants the share of another. */
    ALL {
        @Override
        BlockRange request(StoreShape shape, int rank) {
            return shape.share(rank + 1);
        }
    },
    /** One PE wants the share of another. */
    ONE_TO_ONE {
        @Override
        BlockRange request(StoreShape shape, int rank) {
            BlockRange share = shape.share(0);
            return rank == Math.min(1, shape.pes() - 1) ? share : BlockRange.of(share.first(), 0);
        }
    };

    /** What one PE requests. */
    abstract BlockRange request(StoreShape shape, int rank);

    /** The first shares, in equal parts for all PEs. */
    static BlockRange together(StoreShape shape, int shares, int rank) {
        return part(shape.share(0).first(), shape.share(shares - 1).end(), shape.pes(), rank);
    }

    /** One of several parts of a run, which differ by one block at most. */
    static BlockRange part(long first, long end, int parts, int part) {
        long blocks = end - first;
        long partFirst = first + part * (blocks / parts) + Math.min(part, blocks % parts);
        return BlockRange.of(partFirst, blocks / parts + (part < blocks % parts ? 1 : 0));
    }
}

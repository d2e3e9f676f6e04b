package org.restorej.bench.model;

import org.restorej.block.BlockRange;

/** What all PEs of a store do together. */
enum ModelledCall {
    /** Every PE submits its share. */
    SUBMIT("submit") {
        @Override
        BlockRange wish(ModelShape shape, int rank) {
            throw new IllegalStateException("a submission wants nothing");
        }
    },
    /** All PEs together want one block in a hundred, each the same number. */
    PULL_PERCENT("load 1 % of the data") {
        @Override
        BlockRange wish(ModelShape shape, int rank) {
            long blocks = Math.ceilDiv(shape.blocks(), 100);
            long first = rank * blocks / shape.pes();
            return BlockRange.of(first, (rank + 1L) * blocks / shape.pes() - first);
        }
    },
    /** Every PE wants the share of the next one. */
    PULL_ALL("load all data") {
        @Override
        BlockRange wish(ModelShape shape, int rank) {
            return shape.share((rank + 1) % shape.pes());
        }
    };

    private final String title;

    ModelledCall(String title) {
        this.title = title;
    }

    /** Its name in tables. */
    String title() {
        return title;
    }

    /** The blocks that a PE wants. */
    abstract BlockRange wish(ModelShape shape, int rank);
}

package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.internal.erasure.LinearMap;
import org.restorej.placement.Placement;

/**
 * Parity of rows of which each of k PEs has one cell, by plain messages: what a submission of runs inside of one cell
 * has to do besides bringing them to their holders. A PE sends {@code m} times its data either way. Range r of the rows
 * has its parts where a store would put them, so each PE has k parts of data, and receives m of parity.
 */
final class ParitySums implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final Communicator communicator;
    private final Way way;
    private final int dataParts;
    private final int parityParts;
    private final long cellBytes;
    private final int cells;
    private final Placement placement;
    private final ErasureKernel kernel = ErasureKernels.preferred();
    private final LinearMap code;
    private final MemorySegment[] data;
    /** By data part: of each cell its m sums, one after the other. */
    private final MemorySegment[] sums;
    private final MemorySegment[] parity;
    /** By parity part: what has come of each data part, to be added. */
    private final MemorySegment[] contributions;
    private final List<ArrayDeque<Arrival>> streams = new ArrayList<>();
    private final List<Request> sends = new ArrayList<>();
    private long sentBytes;

    /** Which way sums go. */
    enum Way {
        /** From each PE to the holders of parity, which add them: what the library does. */
        DIRECT,
        /** From each PE to the next one of the row, which adds its own, and from the last one to the holders of parity. */
        RING;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A message that comes, and what is then done. */
    private record Arrival(Request request, Runnable then) {}

    /**
     * Sums; nothing happens yet.
     *
     * @param bytes about how many of data each PE has
     * @param cellBytes of a cell, which is a message
     */
    ParitySums(Communicator communicator, Redundancy redundancy, long bytes, long cellBytes, Way way) {
        this.communicator = communicator;
        this.way = way;
        this.cellBytes = cellBytes;
        dataParts = redundancy.dataParts();
        parityParts = redundancy.parityParts();
        cells = Math.toIntExact(Math.max(1, bytes / dataParts / cellBytes));
        placement = new Placement(communicator.size(), communicator.size(), redundancy.parts());
        code = kernel.prepare(parityParts == 1
                ? GaloisMatrix.parityOfOnes(dataParts)
                : GaloisMatrix.reedSolomon(dataParts, parityParts));
        data = memory(arena, dataParts, cells);
        sums = memory(arena, dataParts, cells * parityParts);
        parity = memory(arena, parityParts, cells);
        contributions = memory(arena, way == Way.DIRECT ? parityParts : 0, cells * dataParts);
        for (int part = 0; part < dataParts; part++) {
            KnownBytes.fill(data[part], sequence(rangeOf(part), part), 0);
        }
        clear();
    }

    private MemorySegment[] memory(Arena owner, int parts, int cellsOfPart) {
        MemorySegment[] memory = new MemorySegment[parts];
        Arrays.setAll(memory, _ -> owner.allocate(cellsOfPart * cellBytes, 64));
        return memory;
    }

    private MemorySegment cells(MemorySegment memory, int first, int count) {
        return memory.asSlice(first * cellBytes, count * cellBytes);
    }

    /** The range of which this PE has a part. */
    private int rangeOf(int part) {
        return placement.rangeHeldBy(communicator.rank(), part);
    }

    private int sequence(int range, int part) {
        return range * dataParts + part;
    }

    /** Bytes that this PE has sent in the last run. */
    long sentBytes() {
        return sentBytes;
    }

    @Override
    public long bytes() {
        return cellBytes * cells * dataParts;
    }

    @Override
    public void clear() {
        Arrays.stream(parity).forEach(part -> part.fill((byte) 0xEE));
    }

    @Override
    public void run() {
        sentBytes = 0;
        if (way == Way.DIRECT) {
            receiveContributions();
        } else {
            receiveSums();
        }
        for (int part = 0; part < (way == Way.DIRECT ? dataParts : 1); part++) {
            for (int cell = 0; cell < cells; cell++) {
                cells(sums[part], cell * parityParts, parityParts).fill((byte) 0);
                add(part, cell);
                progress();
            }
        }
        while (!progress()) {
            Thread.onSpinWait();
        }
        communicator.awaitAll(sends);
        sends.clear();
    }

    private void receiveContributions() {
        for (int i = 0; i < parityParts; i++) {
            MemorySegment target = parity[i];
            MemorySegment source = contributions[i];
            target.fill((byte) 0);
            for (int part = 0; part < dataParts; part++) {
                int first = part * cells;
                receive(source, first, 1, placement.holder(rangeOf(dataParts + i), part), tag(part, i),
                        cell -> kernel.xor(cells(source, first + cell, 1), cells(target, cell, 1)));
            }
        }
    }

    private void receiveSums() {
        for (int part = 1; part < dataParts; part++) {
            int own = part;
            receive(sums[part], 0, parityParts, placement.holder(rangeOf(part), part - 1), tagOfSums(part),
                    cell -> add(own, cell));
        }
        for (int i = 0; i < parityParts; i++) {
            int last = dataParts - 1;
            receive(parity[i], 0, 1, placement.holder(rangeOf(dataParts + i), last), tag(last, i), _ -> {});
        }
    }

    /** Begins to receive as many messages as there are cells, each of some cells of the memory. */
    private void receive(MemorySegment into, int first, int count, int source, int tag, IntConsumer then) {
        ArrayDeque<Arrival> stream = new ArrayDeque<>();
        for (int cell = 0; cell < cells; cell++) {
            int arrived = cell;
            stream.add(new Arrival(communicator.iReceive(cells(into, first + cell * count, count), source, tag),
                    () -> then.accept(arrived)));
        }
        streams.add(stream);
    }

    private int tag(int dataPart, int parityPart) {
        return dataPart * parityParts + parityPart;
    }

    private int tagOfSums(int dataPart) {
        return (dataParts + dataPart) * parityParts;
    }

    /** Adds what this PE has of a cell, and sends the sums on. */
    private void add(int part, int cell) {
        MemorySegment[] into = new MemorySegment[parityParts];
        Arrays.setAll(into, i -> cells(sums[part], cell * parityParts + i, 1));
        code.accumulate(part, cells(data[part], cell, 1), into);
        if (way == Way.RING && part < dataParts - 1) {
            send(cells(sums[part], cell * parityParts, parityParts), placement.holder(rangeOf(part), part + 1),
                    tagOfSums(part + 1));
            return;
        }
        for (int i = 0; i < parityParts; i++) {
            send(into[i], placement.holder(rangeOf(part), dataParts + i), tag(part, i));
        }
    }

    private void send(MemorySegment message, int destination, int tag) {
        sends.add(communicator.iSend(message, destination, tag));
        sentBytes += message.byteSize();
    }

    /** Does what can be done now, and says whether all has come. */
    private boolean progress() {
        for (ArrayDeque<Arrival> stream : streams) {
            while (!stream.isEmpty() && stream.getFirst().request().test()) {
                stream.removeFirst().then().run();
            }
        }
        streams.removeIf(ArrayDeque::isEmpty);
        return streams.isEmpty();
    }

    @Override
    public void check() {
        try (Arena checked = Arena.ofShared()) {
            MemorySegment[] row = memory(checked, dataParts, cells);
            MemorySegment[] expected = memory(checked, parityParts, cells);
            for (int i = 0; i < parityParts; i++) {
                int range = rangeOf(dataParts + i);
                for (int part = 0; part < dataParts; part++) {
                    KnownBytes.fill(row[part], sequence(range, part), 0);
                }
                code.apply(row, expected);
                long wrong = parity[i].mismatch(expected[i]);
                if (wrong >= 0) {
                    throw new WrongBytesException("parity " + i + " of range " + range + ", " + way.text()
                            + ": wrong byte at offset " + wrong);
                }
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}

package org.restorej.objects;

import static org.restorej.codec.Codecs.DOUBLE;
import static org.restorej.codec.Codecs.INT;
import static org.restorej.codec.Codecs.LONG;
import static org.restorej.codec.Codecs.STRING;
import static org.restorej.comm.testing.Checks.equal;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.BlockSerializer;
import org.restorej.codec.Codecs;

/**
 * Objects of different sizes, some of them without a name or leaves, that follow from their ids and a version.
 *
 * @param version tells generations apart
 */
record TestObjects(long version) {
    /** A part of an object. */
    record Leaf(int taxon, double length) {}

    /** An object whose size depends on its content. */
    record Tree(long id, String name, List<Leaf> leaves) {}

    /** An object of one size. */
    record Point(double x, double y, int cluster) {}

    private static final BlockSerializer<Leaf> LEAF = Codecs.record(Leaf.class, INT, DOUBLE);

    static final BlockSerializer<Tree> TREES = Codecs.record(Tree.class, LONG, STRING, LEAF.list());

    static final BlockSerializer<Point> POINTS = Codecs.record(Point.class, DOUBLE, DOUBLE, INT);

    Tree tree(long id) {
        Random random = new Random(id * 31 + version);
        List<Leaf> leaves = new ArrayList<>();
        for (int leaf = random.nextInt(6); leaf > 0; leaf--) {
            leaves.add(new Leaf(leaf, random.nextDouble()));
        }
        return new Tree(id, "tree ".repeat(random.nextInt(4)) + "ä", leaves);
    }

    Point point(long id) {
        Random random = new Random(id * 31 + version);
        return new Point(random.nextDouble(), random.nextDouble(), random.nextInt());
    }

    /** All of these objects and no others, in ascending order, however they are asked for. */
    void check(BlockRanges ids, LocalObjects<Tree> objects) {
        equal(ids, objects.ids(), "ids");
        equal((int) ids.blockCount(), objects.count(), "number of objects");
        equal(trees(ids), objects.values(), "objects in order");
        List<Long> seen = new ArrayList<>();
        objects.forEach((id, object) -> {
            equal(tree(id), object, "object " + id);
            equal(object, objects.get(id), "object " + id);
            seen.add(id);
        });
        equal(ids, BlockRanges.of(seen.stream().map(id -> BlockRange.of(id, 1)).toList()), "ids handed out");
        equal(seen, seen.stream().sorted().toList(), "ascending ids");
    }

    List<Tree> trees(BlockRanges ids) {
        List<Tree> trees = new ArrayList<>();
        for (long place = 0; place < ids.blockCount(); place++) {
            trees.add(tree(ids.blockAt(place)));
        }
        return trees;
    }
}

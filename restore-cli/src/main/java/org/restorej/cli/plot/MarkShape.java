package org.restorej.cli.plot;

import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** What marks the points of a series, so that not only colours tell series apart. */
enum MarkShape {
    CIRCLE {
        @Override
        Shape at(double x, double y) {
            return new Ellipse2D.Double(x - HALF, y - HALF, 2 * HALF, 2 * HALF);
        }
    },
    SQUARE {
        @Override
        Shape at(double x, double y) {
            return new Rectangle2D.Double(x - HALF, y - HALF, 2 * HALF, 2 * HALF);
        }
    },
    DIAMOND {
        @Override
        Shape at(double x, double y) {
            return polygon(x, y - WIDE, x + WIDE, y, x, y + WIDE, x - WIDE, y);
        }
    },
    TRIANGLE_UP {
        @Override
        Shape at(double x, double y) {
            return polygon(x - WIDE, y + HALF, x, y - WIDE, x + WIDE, y + HALF);
        }
    },
    TRIANGLE_DOWN {
        @Override
        Shape at(double x, double y) {
            return polygon(x - WIDE, y - HALF, x, y + WIDE, x + WIDE, y - HALF);
        }
    };

    private static final double HALF = 3.5;
    private static final double WIDE = 4.8;

    /** The shape around a point. */
    abstract Shape at(double x, double y);

    private static Shape polygon(double... corners) {
        Path2D path = new Path2D.Double();
        path.moveTo(corners[0], corners[1]);
        for (int i = 2; i < corners.length; i += 2) {
            path.lineTo(corners[i], corners[i + 1]);
        }
        path.closePath();
        return path;
    }
}

package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.Range;
import org.jfree.data.general.DatasetUtils;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** A chart of one or more series over two axes, with a legend and error bars. Not thread-safe. */
public final class Chart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    /** Marks of more points would hide their line. */
    private static final int MAX_MARKS_ON_A_LINE = 60;
    private static final BasicStroke SOLID = new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    private static final double OUTER_FREE = 0.04;
    private static final double MIN_RATIO_FOR_DECADES = 1000;
    private static final double MIN_RATIO_FOR_POWERS = 4;
    private static final double MAX_TICKS = 12;
    private static final double TINY = 1e-9;

    private final String title;
    private final ValueAxis across;
    private final ValueAxis up;
    private final YIntervalSeriesCollection data = new YIntervalSeriesCollection();
    private final XYErrorRenderer renderer = new XYErrorRenderer();
    private final List<String> names = new ArrayList<>();

    /** A value with its error bar, which is empty if {@code low == y == high}. */
    public record Point(double x, double y, double low, double high) {
        /** A value without an error bar. */
        public Point(double x, double y) {
            this(x, y, y, y);
        }
    }

    /** Creates a chart without series. */
    public Chart(String title, ValueAxis across, ValueAxis up) {
        this.title = title;
        this.across = across;
        this.up = up;
        renderer.setDrawXError(false);
        renderer.setCapLength(0);
    }

    /** A linear axis over the range of the values. */
    public static ValueAxis linear(String label) {
        NumberAxis axis = new NumberAxis(label);
        axis.setAutoRangeIncludesZero(false);
        axis.setNumberFormatOverride(format(Chart::number));
        return styled(axis);
    }

    /** A logarithmic axis over the range of the values, which must be positive. */
    public static ValueAxis log(String label) {
        return log(label, Chart::number);
    }

    /** A logarithmic axis with its own labels. */
    public static ValueAxis log(String label, DoubleFunction<String> text) {
        return styled(new LogAxis(label) {
            private static final long serialVersionUID = 1;

            // Labels as plain text, so that an SVG contains text, too.
            @Override
            public List<ValueTick> refreshTicks(Graphics2D surface, AxisState state, Rectangle2D area,
                    RectangleEdge edge) {
                List<ValueTick> ticks = new ArrayList<>();
                for (Object each : super.refreshTicks(surface, state, area, edge)) {
                    ValueTick tick = (ValueTick) each;
                    ticks.add(new NumberTick(tick.getTickType(), tick.getValue(),
                            tick.getTickType().equals(TickType.MAJOR) ? text.apply(tick.getValue()) : "",
                            tick.getTextAnchor(), tick.getRotationAnchor(), tick.getAngle()));
                }
                return ticks;
            }
        });
    }

    private static ValueAxis styled(ValueAxis axis) {
        axis.setLowerMargin(OUTER_FREE);
        axis.setUpperMargin(OUTER_FREE);
        return axis;
    }

    /** A number in decimal notation; a very large or small one with a power of ten. */
    public static String number(double value) {
        boolean isPlain = value == 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6);
        // Nine digits hide rounding errors of sums of steps like 0.1.
        return new DecimalFormat(isPlain ? "0.#########" : "0.#########E0",
                DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value).replace('E', 'e');
    }

    private static NumberFormat format(DoubleFunction<String> text) {
        return new NumberFormat() {
            private static final long serialVersionUID = 1;

            @Override
            public StringBuffer format(double value, StringBuffer out, FieldPosition position) {
                return out.append(text.apply(value));
            }

            @Override
            public StringBuffer format(long value, StringBuffer out, FieldPosition position) {
                return format((double) value, out, position);
            }

            @Override
            public Number parse(String source, ParsePosition position) {
                throw new UnsupportedOperationException(source);
            }
        };
    }

    /**
     * Adds a series.
     *
     * @param name for the legend; unique
     * @param points in the order in which a line joins them, with marks if they are few; if empty, nothing is added
     * @throws IllegalArgumentException when a value isn't finite, or not positive on a logarithmic axis
     */
    public Chart add(String name, List<Point> points) {
        if (points.isEmpty()) {
            return this;
        }
        YIntervalSeries series = new YIntervalSeries(name, false, true);
        for (Point point : points) {
            check(across, name, point.x());
            check(up, name, point.low());
            check(up, name, point.y());
            check(up, name, point.high());
            series.add(point.x(), point.y(), point.low(), point.high());
        }
        int number = data.getSeriesCount();
        renderer.setSeriesPaint(number, Picture.COLOURS.get(number % Picture.COLOURS.size()));
        renderer.setSeriesStroke(number, SOLID);
        renderer.setSeriesShapesVisible(number, points.size() <= MAX_MARKS_ON_A_LINE);
        data.addSeries(series);
        names.add(name);
        return this;
    }

    private static void check(ValueAxis axis, String series, double value) {
        if (!Double.isFinite(value) || (axis instanceof LogAxis && value <= 0)) {
            throw new IllegalArgumentException(
                    "values must be finite" + (axis instanceof LogAxis ? " and more than 0" : "")
                            + ": axis '" + axis.getLabel() + "', series '" + series + "', value=" + value);
        }
    }

    /**
     * Sets ticks at powers of ten, or of two if there would be few; at every second one, and so on, if there are many.
     */
    private static void setTicks(ValueAxis axis, @Nullable Range values) {
        if (axis instanceof LogAxis log && values != null) {
            double ratio = values.getUpperBound() / values.getLowerBound();
            log.setBase(ratio < MIN_RATIO_FOR_DECADES ? 2 : 10);
            log.setTickUnit(new NumberTickUnit(Math.ceil(log.calculateLog(ratio) / MAX_TICKS + TINY)));
        }
    }

    /** The vertical axis: linear instead of logarithmic if the values are so close that no power is among them. */
    private ValueAxis vertical() {
        Range values = DatasetUtils.findRangeBounds(data);
        return up instanceof LogAxis && values != null
                && values.getUpperBound() < MIN_RATIO_FOR_POWERS * values.getLowerBound() ? linear(up.getLabel()) : up;
    }

    /** The chart as a picture. */
    public Picture picture() {
        setTicks(across, DatasetUtils.findDomainBounds(data));
        setTicks(up, DatasetUtils.findRangeBounds(data));
        XYPlot plot = new XYPlot(data, across, vertical(), renderer);
        Picture.style(plot);
        JFreeChart chart = new JFreeChart(title, Picture.TITLE, plot, true);
        return new Picture(chart, up.getLabel() + " over " + across.getLabel() + ": " + String.join(", ", names), WIDTH,
                HEIGHT);
    }
}

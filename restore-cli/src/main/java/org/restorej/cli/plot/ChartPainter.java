package org.restorej.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Makes XChart draw a line chart. */
final class ChartPainter {
    private static final List<Marker> MARKERS = List.of(SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE,
            SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP, SeriesMarkers.TRIANGLE_DOWN);
    private static final int MARKER_SIZE = 7;
    private static final float LINE_WIDTH = 2;
    private static final float BAR_WIDTH = 1.2f;
    private static final BasicStroke DASHES = new BasicStroke(LINE_WIDTH, BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND, 10, new float[]{7, 5}, 0);

    private final LineChart content;
    private final XYChart chart;

    /** The ends of an error bar. */
    private static final class Cap extends Marker {
        private static final int HALF_WIDTH = 3;

        @Override
        public void paint(Graphics2D surface, double x, double y, int size) {
            surface.setStroke(new BasicStroke(BAR_WIDTH));
            surface.drawLine((int) x - HALF_WIDTH, (int) y, (int) x + HALF_WIDTH, (int) y);
        }
    }

    private ChartPainter(LineChart content) {
        this.content = content;
        chart = new XYChartBuilder().width(LineChart.WIDTH).height(LineChart.HEIGHT).title(content.title())
                .xAxisTitle(content.xAxis().label()).yAxisTitle(content.yAxis().label()).build();
    }

    static XYChart of(LineChart content) {
        ChartPainter painter = new ChartPainter(content);
        painter.setFonts();
        painter.setColours();
        painter.setAxes();
        for (int index = 0; index < content.series().size(); index++) {
            painter.add(content.series().get(index), Palette.SERIES.get(index % Palette.SERIES.size()),
                    MARKERS.get(index % MARKERS.size()));
        }
        return painter.chart;
    }

    private void setFonts() {
        XYStyler styler = chart.getStyler();
        styler.setChartTitleFont(PictureFonts.bold(17));
        styler.setAxisTitleFont(PictureFonts.plain(14));
        styler.setAxisTickLabelsFont(PictureFonts.plain(12));
        styler.setLegendFont(PictureFonts.plain(13));
    }

    private void setColours() {
        XYStyler styler = chart.getStyler();
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setChartTitleBoxVisible(false);
        styler.setChartTitlePadding(10);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(Palette.GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(0.7f));
        styler.setChartFontColor(Palette.BLACK);
        styler.setAxisTickLabelsColor(Palette.BLACK);
        styler.setAxisTickMarksColor(Palette.GREY);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setMarkerSize(MARKER_SIZE);
        styler.setChartPadding(14);
    }

    private void setAxes() {
        XYStyler styler = chart.getStyler();
        styler.setXAxisLogarithmic(content.xAxis().scale() == Axis.Scale.LOGARITHMIC);
        styler.setYAxisTickMarkSpacingHint(50);
        styler.setYAxisLogarithmic(content.yAxis().scale() == Axis.Scale.LOGARITHMIC);
        styler.setXAxisTickLabelsFormattingFunction(content.xAxis().ticks()::text);
        styler.setYAxisTickLabelsFormattingFunction(content.yAxis().ticks()::text);
    }

    private void add(Series series, Color colour, Marker marker) {
        // First, so that marks lie over their bars.
        if (series.hasBars()) {
            addBars(series, colour);
        }
        XYSeries drawn = chart.addSeries(series.name(), values(series, Series.Point::x),
                values(series, Series.Point::y));
        drawn.setMarkerColor(colour);
        drawn.setLineColor(colour);
        drawn.setLineStyle(switch (series.style()) {
            case LINE -> SeriesLines.SOLID;
            case DASHED -> DASHES;
            case MARKS -> SeriesLines.NONE;
        });
        drawn.setLineWidth(LINE_WIDTH);
        drawn.setMarker(series.style() == Series.Style.DASHED ? SeriesMarkers.NONE : marker);
    }

    /** XChart's own error bars reach equally far up and down; so they are a line of their own, with gaps. */
    private void addBars(Series series, Color colour) {
        List<Series.Point> points = series.points().stream().filter(Series.Point::hasBar).toList();
        double[] x = points.stream().flatMapToDouble(point -> DoubleStream.of(point.x(), point.x(), point.x()))
                .toArray();
        double[] y = points.stream()
                .flatMapToDouble(point -> DoubleStream.of(point.low(), point.high(), Double.NaN)).toArray();
        XYSeries bars = chart.addSeries(series.name() + " (error bars)", x, y);
        bars.setShowInLegend(false);
        bars.setMarker(new Cap());
        bars.setMarkerColor(colour);
        bars.setLineColor(colour).setLineStyle(SeriesLines.SOLID).setLineWidth(BAR_WIDTH);
    }

    private static double[] values(Series series, ToDoubleFunction<Series.Point> value) {
        return series.points().stream().mapToDouble(value).toArray();
    }
}

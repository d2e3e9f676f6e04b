package org.restorej.cli.plot;

/**
 * A mark at an axis.
 *
 * @param place where it is, as {@link PlacedAxis#place} says
 * @param label empty where there is no room for one
 */
record Tick(double place, String label) {
    boolean hasLabel() {
        return !label.isEmpty();
    }
}

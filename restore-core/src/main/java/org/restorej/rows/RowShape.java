package org.restorej.rows;

/**
 * How rows are stored in an array: one behind the other.
 *
 * @param rowLength elements of a row, at least 1
 */
record RowShape(int rowLength) {
    /**
     * Length of an array.
     *
     * @throws IllegalArgumentException when a Java array can't have so many rows
     */
    int elements(long rows) {
        long mostRows = Integer.MAX_VALUE / rowLength;
        if (rows > mostRows) {
            throw new IllegalArgumentException("rows of " + rowLength + " elements must be at most " + mostRows
                    + ", since a Java array has at most " + Integer.MAX_VALUE + " elements: " + rows + " rows");
        }
        return (int) (rows * rowLength);
    }

    /** What to say of an array whose length is not that of its rows. */
    String misfit(long rows, long elements) {
        return "values must be " + rows + " rows of " + rowLength + " elements: length=" + elements;
    }
}

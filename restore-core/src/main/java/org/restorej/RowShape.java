package org.restorej;

/**
 * How rows lie in an array: one behind the other.
 *
 * @param rowLength elements of a row, at least 1
 */
record RowShape(int rowLength) {
    /**
     * Length of an array with more rows behind those it has.
     *
     * @param ownElements how many elements it has
     * @param furtherRows how many rows are to come
     * @throws IllegalArgumentException when the own elements aren't whole rows, or a Java array can't have as many
     */
    int elements(long ownElements, long furtherRows) {
        if (ownElements % rowLength != 0) {
            throw new IllegalArgumentException("an array must have whole rows of " + rowLength
                    + " elements to append to: length=" + ownElements);
        }
        long ownRows = ownElements / rowLength;
        long mostRows = Integer.MAX_VALUE / rowLength;
        if (furtherRows > mostRows - ownRows) {
            throw new IllegalArgumentException("rows of " + rowLength + " elements must be at most " + mostRows
                    + ", since a Java array has at most " + Integer.MAX_VALUE + " elements: " + ownRows + " + "
                    + furtherRows + " rows");
        }
        return (int) ((ownRows + furtherRows) * rowLength);
    }

    /** What to say of an array whose length is not that of its rows. */
    String misfit(long rows, long elements) {
        return "values must be " + rows + " rows of " + rowLength + " elements: length=" + elements;
    }
}

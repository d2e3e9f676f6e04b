package org.restorej.internal.erasure;

/** Products in GF(2^8), by the definition. */
public final class ProductsByDefinition {
    private ProductsByDefinition() {}

    /** Polynomial multiplication modulo 0x11D, bit by bit. */
    public static int product(int left, int right) {
        int product = 0;
        for (int bit = 7; bit >= 0; bit--) {
            product <<= 1;
            if ((product & 0x100) != 0) {
                product ^= 0x11D;
            }
            if (((right >> bit) & 1) != 0) {
                product ^= left;
            }
        }
        return product;
    }

    static GaloisMatrix product(GaloisMatrix left, GaloisMatrix right) {
        byte[] product = new byte[left.rows() * right.columns()];
        for (int row = 0; row < left.rows(); row++) {
            for (int column = 0; column < right.columns(); column++) {
                for (int i = 0; i < left.columns(); i++) {
                    product[row * right.columns() + column] ^= (byte) product(left.at(row, i), right.at(i, column));
                }
            }
        }
        return GaloisMatrix.of(left.rows(), right.columns(), product);
    }
}

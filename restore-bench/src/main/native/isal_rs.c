/*
 * Reed-Solomon encoding by ISA-L, called again and again from C: what the same calls from Java are measured against.
 *
 * Needs no headers of ISA-L: build with cc -O2 -shared -fPIC isal_rs.c -o libisal_rs.so -ldl
 */
#include <dlfcn.h>
#include <stddef.h>

typedef void (*init_tables_function)(int, int, unsigned char *, unsigned char *);
typedef void (*encode_function)(int, int, int, unsigned char *, unsigned char **, unsigned char **);

static encode_function encode;

/* Fills 32 * sources * targets bytes of tables from the coefficients, row after row. Returns 0, or 1 without ISA-L. */
int prepare(int sources, int targets, unsigned char *matrix, unsigned char *tables) {
    void *library = dlopen("libisal.so.2", RTLD_NOW);
    init_tables_function init_tables = NULL;
    if (library != NULL) {
        init_tables = (init_tables_function) dlsym(library, "ec_init_tables");
        encode = (encode_function) dlsym(library, "ec_encode_data");
    }
    if (init_tables == NULL || encode == NULL) {
        return 1;
    }
    init_tables(sources, targets, matrix, tables);
    return 0;
}

/* Encodes pieces of some bytes. */
void encode_often(int repetitions, int bytes, int sources, int targets, unsigned char *tables, unsigned char **from,
                  unsigned char **to) {
    for (int repetition = 0; repetition < repetitions; repetition++) {
        encode(bytes, sources, targets, tables, from, to);
    }
}

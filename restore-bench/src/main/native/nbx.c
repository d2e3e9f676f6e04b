/* Rounds of a sparse all-to-all as a program in C would have them: the algorithm, the messages and the copy of what comes are
   those of the benchmark in Java that it is compared with. It never yields itself: MPI does, or doesn't, for both. */

#include <mpi.h>
#include <string.h>

/* As in NbxFromC. */
struct rounds {
    MPI_Comm comm;
    long messages;
    long message_bytes;
    const int *receivers;  /* of each message */
    const char *source;    /* the messages, one after the other */
    char *received;        /* a part for each sender */
    long received_stride;  /* bytes of a part */
    long *filled;          /* bytes received of each sender */
    char *buffer;          /* for one message */
    MPI_Request *sends;    /* one for each message */
};

static int receive(struct rounds *r, MPI_Status *status, int tag) {
    int bytes;
    int peer = status->MPI_SOURCE;
    int error = MPI_Get_count(status, MPI_BYTE, &bytes);
    if (!error) error = MPI_Recv(r->buffer, bytes, MPI_BYTE, peer, tag, r->comm, MPI_STATUS_IGNORE);
    if (error) return error;
    memcpy(r->received + peer * r->received_stride + r->filled[peer], r->buffer, bytes);
    r->filled[peer] += bytes;
    return 0;
}

/* One round; returns MPI's first error, or 0. */
int nbx_round(struct rounds *r, int tag) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    int entered = 0, done = 0, error = 0;
    for (long i = 0; i < r->messages && !error; i++)
        error = MPI_Issend(r->source + i * r->message_bytes, (int) r->message_bytes, MPI_BYTE, r->receivers[i], tag,
                           r->comm, &r->sends[i]);
    while (!done && !error) {
        int here = 0;
        MPI_Status status;
        error = MPI_Iprobe(MPI_ANY_SOURCE, tag, r->comm, &here, &status);
        if (error) break;
        if (here) {
            error = receive(r, &status, tag);
        } else if (entered) {
            error = MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            error = MPI_Testall((int) r->messages, r->sends, &entered, MPI_STATUSES_IGNORE);
            if (entered && !error) error = MPI_Ibarrier(r->comm, &barrier);
        }
    }
    return error;
}

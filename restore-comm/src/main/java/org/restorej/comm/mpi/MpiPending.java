package org.restorej.comm.mpi;

import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;

/** Pending messages, collective calls and agreements of a communicator. Not thread-safe. */
final class MpiPending {
    private final MpiCommunicator communicator;
    /** Requests whose memory MPI may still access, kept reachable even if the program drops them. */
    private final List<MpiRequest> requests = new ArrayList<>();
    private final List<MpiAgreement> agreements = new ArrayList<>();

    MpiPending(MpiCommunicator communicator) {
        this.communicator = communicator;
    }

    /**
     * Creates a request and adds it, before it starts: afterwards there might be no memory for that.
     *
     * @param peer current rank of the other side, or -1 if all PEs take part
     */
    MpiRequest request(MpiRequest.Kind kind, int peer) {
        MpiRequest request = new MpiRequest(communicator, kind, peer, requests.size());
        requests.add(request);
        return request;
    }

    /** Removes a request; the last one takes its place. Called once for each. */
    void remove(MpiRequest request) {
        MpiRequest last = requests.removeLast();
        if (last != request) {
            requests.set(request.place(), last);
            last.moveTo(request.place());
        }
    }

    /** Starts an agreement, even on a closed communicator if its MPI communicator was not freed. */
    MpiAgreement startAgreement(Ulfm ulfm, int flags) {
        agreements.removeIf(MpiAgreement::isOver);
        MpiAgreement agreement = new MpiAgreement(communicator);
        agreements.add(agreement);
        try {
            if (communicator.failures().hasSimulatedFailure()) {
                agreement.fail();
            } else {
                ulfm.startAgreement(communicator.mpi(), agreement, flags);
            }
            return agreement;
        } catch (MpiException e) {
            throw new Mpi.CallException("agree", e);
        } finally {
            if (!agreement.hasBegun()) {
                agreements.removeLast();
                agreement.forget();
            }
        }
    }

    /** Whether this process has pending requests other than receives. For communicators without failures. */
    boolean hasOthersThanReceives() {
        agreements.removeIf(MpiAgreement::test);
        for (MpiRequest request : List.copyOf(requests)) {
            if (!request.isReceive()) {
                try {
                    request.test();
                } catch (CommunicationFailedException ended) {
                    // On a communicator that was revoked before.
                }
            }
        }
        return !agreements.isEmpty() || !requests.stream().allMatch(MpiRequest::isReceive);
    }

    /** Cancels all requests, because this process fails and its memory may be freed. */
    void cancelRequests() {
        List.copyOf(requests).forEach(MpiRequest::cancel);
    }

    /** Awaits no agreement any more, since the communicator is closed. Returns whether all were over. */
    boolean forgetAgreements() {
        agreements.forEach(MpiAgreement::forget);
        return agreements.stream().allMatch(MpiAgreement::isOver);
    }

    /** Leaves the requests to MPI, with their memory. */
    void giveUpRequests() {
        requests.forEach(MpiRequest::giveUp);
    }
}

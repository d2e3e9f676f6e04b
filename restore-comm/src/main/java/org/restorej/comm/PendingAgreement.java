package org.restorej.comm;

/** An agreement under way, of {@link Communicator#iAgree}. Can't be taken back: the others wait for it. */
public interface PendingAgreement extends Request {
    /**
     * Whether all PEs alive have agreed; also drives progress. Failures and revocations don't end an agreement, so that
     * this throws neither {@link ProcessFailedException} nor {@link CommunicatorRevokedException}.
     */
    @Override
    boolean test();

    /**
     * What they have agreed on, the same on every PE.
     *
     * @throws IllegalStateException before {@link #test} has answered true
     */
    Agreement agreement();

    /** Asks after it no more; the others get their answer all the same. */
    @Override
    void cancel();
}

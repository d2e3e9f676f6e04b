package org.restorej.demo.run;

/** What a PE does at a time. Knows no colours: PEs that note it load nothing of what draws. */
public enum Activity {
    /** The program's own work, waiting for other PEs included. */
    COMPUTE("computing"),
    /** Someone has failed, and this PE doesn't know yet. */
    NOTICE("noticing a failure"),
    /** The survivors get a communicator, and the store learns who has failed. */
    SHRINK("shrinking"),
    /** Work is handed out again, and blocks come from other PEs. */
    PULL("pulling blocks"),
    /** The program takes them over. */
    TAKE_OVER("taking over"),
    /** Lost replicas are made anew. */
    REPLENISH("replenishing");

    private final String label;

    Activity(String label) {
        this.label = label;
    }

    /** For people. */
    public String label() {
        return label;
    }
}

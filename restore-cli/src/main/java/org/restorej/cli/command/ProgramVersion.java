package org.restorej.cli.command;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
public final class ProgramVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return new String[]{"ReStore for Java " + (version == null ? "(not packaged)" : version)};
    }
}

package org.restorej.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class PartTest {
    /** The tests of this module that a launcher finds, by their unique ids. */
    private static Set<String> tests(Optional<Part> part) throws Exception {
        Path classes = Path.of(PartTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClasspathRoots(Set.of(classes))).filters(new PartFilter(part)).build();
        // The filter of the part that this run itself is would be found as a service.
        LauncherConfig alone = LauncherConfig.builder().enablePostDiscoveryFilterAutoRegistration(false).build();
        TestPlan plan = LauncherFactory.create(alone).discover(request);
        Set<String> found = new TreeSet<>();
        for (TestIdentifier root : plan.getRoots()) {
            plan.getDescendants(root).stream().filter(each -> plan.getChildren(each).isEmpty())
                    .forEach(each -> found.add(each.getUniqueId()));
        }
        return found;
    }

    @Test
    void thePartsTogetherAreTheWhole() throws Exception {
        int count = 4;
        Set<String> whole = tests(Optional.empty());
        assertTrue(whole.size() > 100, () -> "tests found: " + whole.size());
        List<String> parts = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            Set<String> part = tests(Optional.of(new Part(number, count)));
            assertTrue(part.size() > whole.size() / count / 3, "tests of " + number + "/" + count + ": " + part.size());
            parts.addAll(part);
        }
        assertEquals(List.copyOf(whole), parts.stream().sorted().toList(), "each test in exactly one part");
    }
}

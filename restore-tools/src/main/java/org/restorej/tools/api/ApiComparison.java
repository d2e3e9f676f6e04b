package org.restorej.tools.api;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.AccessModifier;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiConstructor;
import japicmp.model.JApiField;
import japicmp.model.JApiMethod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares two versions of a library, by japicmp: what is public or protected in its packages for programs. */
final class ApiComparison {
    /** Packages that are public only because Java has nothing between a package and the world. */
    private static final List<String> INTERNAL = List.of("org.restorej.internal", "org.restorej.redset.internal",
            "org.restorej.redset.cli", "org.restorej.redset.training");

    private ApiComparison() {}

    /**
     * What programs that use the old version can't use any more.
     *
     * @return a line for each incompatible change, empty when there is none
     */
    static List<String> incompatibleChanges(Path oldJar, Path newJar) {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        // Signatures of other libraries don't matter here.
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        INTERNAL.forEach(name -> options.getFilters().getExcludes().add(new JavadocLikePackageFilter(name, false)));
        List<JApiClass> classes = new JarArchiveComparator(options).compare(
                new JApiCmpArchive(oldJar.toFile(), "old"), new JApiCmpArchive(newJar.toFile(), "new"));
        List<String> changes = new ArrayList<>();
        classes.stream().filter(ApiComparison::isIncompatible).forEach(type -> addChanges(type, changes));
        return changes;
    }

    private static boolean isIncompatible(JApiCompatibility part) {
        return !part.isBinaryCompatible() || !part.isSourceCompatible();
    }

    private static void addChanges(JApiClass type, List<String> changes) {
        String name = type.getFullyQualifiedName();
        // The type's own changes first: a removed type's members say nothing more.
        type.getCompatibilityChanges().forEach(change -> changes.add(name + ": " + change.getType()));
        for (JApiMethod method : type.getMethods()) {
            add(name + "." + method.getName(), method, changes);
        }
        for (JApiConstructor constructor : type.getConstructors()) {
            add(name + " constructor", constructor, changes);
        }
        for (JApiField field : type.getFields()) {
            add(name + "." + field.getName(), field, changes);
        }
    }

    private static void add(String name, JApiCompatibility member, List<String> changes) {
        if (isIncompatible(member)) {
            member.getCompatibilityChanges().forEach(change -> changes.add(name + ": " + change.getType()));
        }
    }
}

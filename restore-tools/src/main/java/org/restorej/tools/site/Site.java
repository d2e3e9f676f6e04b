package org.restorej.tools.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.restorej.tools.markdown.MarkdownFile;

/** Makes the site. Started by {@code bin/site}. */
public final class Site {
    private Site() {}

    /**
     * Makes the site; exits with 1 when a link leads nowhere or javadoc complains.
     *
     * @param arguments the project's folder; the folder for the site; the class path of the libraries
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            System.err.println("usage: Site PROJECT_FOLDER SITE_FOLDER CLASS_PATH");
            System.exit(2);
        }
        System.exit(make(Path.of(arguments[0]).toRealPath(), Path.of(arguments[1]).toAbsolutePath(), arguments[2]));
    }

    private static int make(Path projectRoot, Path folder, String classPath) throws IOException {
        List<String> broken = BrokenLinks.in(MarkdownFile.publishedIn(projectRoot));
        if (!broken.isEmpty()) {
            broken.forEach(link -> System.err.println("leads nowhere: " + link));
            return 1;
        }
        new SiteFolder(projectRoot, folder).write();
        int exitCode = ApiPages.write(projectRoot, folder.resolve("api"), classPath, System.err);
        if (exitCode == 0) {
            System.out.println(folder.resolve("index.html"));
        }
        return exitCode;
    }
}

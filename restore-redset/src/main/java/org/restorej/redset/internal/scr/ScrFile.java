package org.restorej.redset.internal.scr;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileName;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.TreeFields;

/**
 * A file of the application as SCR records it ({@code FILE}, {@code SIZE}, {@code PATH}, {@code NAME}, {@code CRC}, and
 * more).
 *
 * @param record name in the cache, without a directory; size; metadata where SCR has recorded any
 * @param crc CRC-32 of the content, empty where SCR has computed none
 * @param original where the application itself would have put the file, or null where that is not recorded
 * @param complete whether the application said that the file is valid
 */
public record ScrFile(FileRecord record, OptionalInt crc, @Nullable String original, boolean complete) {
    private static final int HEXADECIMAL = 16;

    static ScrFile read(TreeFields fields) throws FormatException {
        String name = fields.text("FILE");
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.equals(".") || name.equals("..")) {
            throw new FormatException(fields.place() + "/FILE must be a name without a directory: "
                    + FileName.shown(FileName.decode(name)));
        }
        long size = fields.number("SIZE", 0, Long.MAX_VALUE);
        FileMetadata metadata = fields.has("MODE") ? FileMetadata.read(fields) : null;
        String original = fields.has("PATH") && fields.has("NAME")
                ? FileName.decode(fields.text("PATH") + "/" + fields.text("NAME"))
                : null;
        return new ScrFile(new FileRecord(FileName.decode(name), size, metadata), readCrc(fields), original,
                !fields.has("COMPLETE") || fields.text("COMPLETE").equals("1"));
    }

    /** As C prints it: {@code 0x} and digits, or {@code 0}. */
    private static OptionalInt readCrc(TreeFields fields) throws FormatException {
        if (!fields.has("CRC")) {
            return OptionalInt.empty();
        }
        String text = fields.text("CRC");
        if (text.matches("0|0x[0-9a-f]{1,8}")) {
            return OptionalInt.of(Integer.parseUnsignedInt(text.replace("0x", ""), HEXADECIMAL));
        }
        throw new FormatException(fields.place() + "/CRC must be a number as 0x1b39e4e4: " + text);
    }
}

package org.restorej.redset.internal.scr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScrFileNameTest {
    @Test
    void recognisesTheFilesOfScrItself() {
        assertEquals(Optional.of(new ScrFileName(ScrFileName.Form.DOCUMENTED, 2, 4, 0)),
                ScrFileName.parse("3_of_4_in_0.xor"));
        assertEquals(Optional.of(new ScrFileName(ScrFileName.Form.RELEASED, 2, 4, 7)),
                ScrFileName.parse("xor.7_3_of_4.scr"));
        for (String name : List.of("12_of_16_in_7.xor", "xor.7_12_of_16.scr", "xor.0_1_of_2.scr")) {
            assertEquals(name, ScrFileName.parse(name).orElseThrow().toString());
        }
        for (String wrong : List.of("xor.0_0_of_4.scr", "xor.0_5_of_4.scr", "xor.0_1_of_4.scr.bak", "fmap.0.scr",
                "xor.01_1_of_4.scr", "xor.0_1_of_4.xor", "1_of_4_in_0.scr")) {
            assertTrue(ScrFileName.parse(wrong).isEmpty(), wrong);
        }
        assertTrue(ScrFileName.parse("0_of_4_in_0.xor").isEmpty());
        assertTrue(ScrFileName.parse("5_of_4_in_0.xor").isEmpty());
        assertTrue(ScrFileName.parse("3_of_4_in_0.xor.bak").isEmpty());
        assertTrue(ScrFileName.parse("ckpt.1.xor.grp_1_of_1.mem_1_of_4.redset").isEmpty());
    }
}

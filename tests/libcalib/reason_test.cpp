#include "libcalib/reason.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

TEST(Reason, IsTakenApartIntoCodeAndWords) {
  EXPECT_EQ(reason_of("RS-06 no unloading branch").code, "RS-06");
  EXPECT_EQ(reason_of("RS-06 no unloading branch").words, "no unloading branch");
  EXPECT_EQ(reason_of("NOT-FITTED stage 'psf' was not run").code, "NOT-FITTED");
  EXPECT_EQ(reason_of("GAP").code, "GAP");
  EXPECT_EQ(reason_of("GAP").words, "");
}

TEST(Reason, ACodePutBeforeAnErrorIsOneToo) {
  EXPECT_EQ(reason_of("ST-01: 2 points, 3 needed").code, "ST-01");
  EXPECT_EQ(reason_of("ST-01: 2 points, 3 needed").words, "2 points, 3 needed");
}

TEST(Reason, WordsWithoutACodeStayWhole) {
  EXPECT_EQ(reason_of("no weight was put on").code, "");
  EXPECT_EQ(reason_of("no weight was put on").words, "no weight was put on");
  EXPECT_EQ(reason_of("").words, "");
}

TEST(Reason, AsAWarningItKeepsItsPlace) {
  EXPECT_EQ(warning_of("RC-05 not bracketed", "press 3"),
            (Warning{"RC-05", "not bracketed", "press 3"}));
}

}  // namespace
}  // namespace tactelier

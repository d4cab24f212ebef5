#include "fitting/adaptive/targets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier::adaptive {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const char* text) {
  const auto targets = parse_targets(text);
  return targets ? "accepted" : targets.error().message;
}

TEST(Targets, AreReadAsPeopleWriteThem) {
  EXPECT_THAT(parse_targets("gain 2 %, sigma 1 %, k 2 %").value(),
              ElementsAre(Target{TargetKind::kGain, 0.02}, Target{TargetKind::kSigma, 0.01},
                          Target{TargetKind::kStiffness, 0.02}));
  EXPECT_THAT(parse_targets(" k 0.5%").value(), ElementsAre(Target{TargetKind::kStiffness, 0.005}));
  EXPECT_EQ(to_string(parse_targets("sigma 1.5%,gain 3 %").value()), "sigma 1.5 %, gain 3 %");
}

TEST(Targets, WhatIsNotUnderstoodIsNamedWithWhatThereIs) {
  EXPECT_THAT(refusal("gian 2 %"), HasSubstr("did you mean 'gain'"));
  EXPECT_THAT(refusal("friction 5 %"), HasSubstr("there are gain, sigma, k"));
  EXPECT_THAT(refusal("gain"), HasSubstr("its half-width is missing"));
  EXPECT_THAT(refusal("gain 2"), HasSubstr("a percentage expected"));
  EXPECT_THAT(refusal("gain 2 N"), HasSubstr("a percentage expected"));
  EXPECT_THAT(refusal("gain 0 %"), HasSubstr("between 0.01 and 50 %"));
  EXPECT_THAT(refusal("gain 80 %"), HasSubstr("between 0.01 and 50 %"));
  EXPECT_THAT(refusal("gain 2 %, gain 3 %"), HasSubstr("given twice"));
  EXPECT_THAT(refusal("gain 2 %,"), HasSubstr("unknown"));
}

}  // namespace
}  // namespace tactelier::adaptive

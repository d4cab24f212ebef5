#include "devices/ati/netft_config.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// The page of docs/wire-formats.md 1.
const std::string kPage = R"(<?xml version="1.0" encoding="UTF-8"?>
<netft>
<prodname>Ethernet DAQ</prodname>
<runstat>0x80010000</runstat>
<setcfgsel>0</setcfgsel><setuserfilter>4</setuserfilter><setbias>0;0;0;0;0;0</setbias>
<cfgnam>Default</cfgnam><cfgcalsel>0</cfgcalsel>
<scfgfu>N</scfgfu><scfgtu>N-mm</scfgtu>
<cfgcpf>1000000</cfgcpf><cfgcpt>1000000</cfgcpt>
<cfgmr>12;12;17;120;120;120</cfgmr>
<comrdte>Enabled</comrdte><comrdtrate>1000</comrdtrate><comrdtbsiz>1</comrdtbsiz>
</netft>
)";

std::string with(std::string_view old_text, std::string_view new_text) {
  auto page = kPage;
  return page.replace(page.find(old_text), old_text.size(), new_text);
}

std::string refusal(std::string_view page) {
  const auto config = parse_netft_config(page);
  if (config) return "accepted";
  EXPECT_EQ(config.error().code, ErrorCode::kProtocol);
  return config.error().message;
}

TEST(NetFtConfig, ReadsScaleRangeAndRate) {
  const auto config = parse_netft_config(kPage);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->product, "Ethernet DAQ");
  EXPECT_DOUBLE_EQ(config->scale.SI_per_count[2], 1e-6);
  EXPECT_DOUBLE_EQ(config->scale.SI_per_count[3], 1e-9);  // N-mm
  EXPECT_DOUBLE_EQ(config->scale.full_scale_SI[2], 17);
  EXPECT_DOUBLE_EQ(config->scale.full_scale_SI[5], 0.12);
  EXPECT_EQ(config->status, 0x80010000);
  EXPECT_EQ(config->rdt_rate_hz, 1000);
  EXPECT_EQ(config->filter, 4);
  EXPECT_EQ(filter_cutoff_hz(4), 73);
  EXPECT_FALSE(config->tool_transform);
  EXPECT_EQ(config->page, kPage);
}

TEST(NetFtConfig, TurnsTheUnitsOfOldBoxesIntoNewtons) {
  // Record C of docs/wire-formats.md 1: 1000 counts per kN, 10 per N-mm; an old Nano17 has 20480
  // per N.
  const auto c = parse_netft_config(
      "<netft><scfgfu>kN</scfgfu><scfgtu>N-mm</scfgtu><cfgcpf>1000</cfgcpf><cfgcpt>10</cfgcpt>"
      "</netft>");
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_DOUBLE_EQ(100 * c->scale.SI_per_count[0], 100);     // 0.1 kN
  EXPECT_DOUBLE_EQ(-20 * c->scale.SI_per_count[4], -0.002);  // -2 N-mm
  const auto pounds = parse_netft_config(with("<scfgfu>N<", "<scfgfu>lbf<"));
  ASSERT_TRUE(pounds);
  EXPECT_DOUBLE_EQ(pounds->scale.SI_per_count[0], 4.4482216152605e-6);
}

// Record A of docs/wire-formats.md 1, 1e6 counts per N and per N-m.
TEST(NetFtConfig, MakesNewtonsOfTheRecordOfTheManual) {
  const auto config = parse_netft_config(with("<scfgtu>N-mm<", "<scfgtu>N-m<"));
  ASSERT_TRUE(config);
  ForceSample a;
  a.counts = {1250000, -500000, -12000000, 15000, -2000, 0};
  const std::array expected{1.25, -0.5, -12.0, 0.015, -0.002, 0.0};
  const auto wrench = config->scale.wrench_SI(a);
  for (std::size_t axis = 0; axis < 6; ++axis) EXPECT_NEAR(wrench[axis], expected[axis], 1e-12);
}

TEST(NetFtConfig, KnowsTheFiltersAndTheUnitsOfTheManual) {
  const std::array cutoffs_hz{0, 838, 326, 152, 73, 35, 18, 8, 5, 1500, 2000, 2500, 3000};
  for (int index = 0; index < 13; ++index)
    EXPECT_EQ(filter_cutoff_hz(index), cutoffs_hz[static_cast<std::size_t>(index)]);
  EXPECT_FALSE(filter_cutoff_hz(13));
  EXPECT_FALSE(filter_cutoff_hz(-1));
  for (const auto* unit : {"lbf", "N", "klbf", "kN", "kgf"})
    EXPECT_TRUE(parse_netft_config(with("<scfgfu>N<", fmt::format("<scfgfu>{}<", unit)))) << unit;
  for (const auto* unit :
       {"lbf-in", "lbf-ft", "N-m", "Nm", "N-mm", "Nmm", "kgf-cm", "kg-cm", "kN-m"})
    EXPECT_TRUE(parse_netft_config(with("<scfgtu>N-mm<", fmt::format("<scfgtu>{}<", unit))))
        << unit;
}

TEST(NetFtConfig, RefusesAPageThatLeavesTheSizeOfAForceOpen) {
  EXPECT_THAT(refusal(with("<cfgcpf>1000000</cfgcpf>", "")), HasSubstr("no <cfgcpf>"));
  EXPECT_THAT(refusal(with("<cfgcpf>1000000</cfgcpf>", "<cfgcpf>1</cfgcpf><cfgcpf>2</cfgcpf>")),
              HasSubstr("twice"));
  EXPECT_THAT(refusal(with("<cfgcpt>1000000", "<cfgcpt>0")), HasSubstr("above 0"));
  EXPECT_THAT(refusal(with("<cfgcpt>1000000", "<cfgcpt>nan")), HasSubstr("above 0"));
  EXPECT_THAT(refusal(with("<scfgtu>N-mm", "<scfgtu>N-cm")), HasSubstr("N-mm"));
  EXPECT_THAT(refusal("<html>hello</html>"), HasSubstr("is this a Net F/T box?"));
  EXPECT_THAT(refusal("<netft><cfgcpf>"), HasSubstr("netftapi2.xml"));
}

TEST(NetFtConfig, NoticesAToolTransformAndADisabledStream) {
  EXPECT_TRUE(
      parse_netft_config(with("<cfgmr>", "<cfgtfx>0;0;25;0;0;0</cfgtfx><cfgmr>"))->tool_transform);
  EXPECT_FALSE(parse_netft_config(with("<comrdte>Enabled", "<comrdte>Disabled"))->rdt_enabled);
}

RC_GTEST_PROP(NetFtConfig, SurvivesAnyPage, (const std::string& text)) {
  parse_netft_config(text);
  parse_netft_config("<netft>" + text);
  parse_netft_config(with("12;12;17;120;120;120", text));
}

}  // namespace
}  // namespace tactelier::devices

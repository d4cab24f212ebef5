#include "libcalib/session/press_kind.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/resources.hpp"

namespace tactelier {
namespace {

TEST(PressKind, NamesAreThoseOfTheSchema) {
  const auto schema = nlohmann::json::parse(resource("schemas/event.schema.json").value());
  const auto& names = schema["properties"]["press_begin"]["properties"]["kind"]["enum"];
  ASSERT_EQ(names.size(), kPressKinds.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i], std::string(to_string(kPressKinds[i])));
    EXPECT_EQ(press_kind_from(names[i].get<std::string>()), kPressKinds[i]);
  }
  EXPECT_FALSE(press_kind_from("poke"));
}

}  // namespace
}  // namespace tactelier

#include "devices/link/line_splitter.hpp"

#include <gtest/gtest.h>

namespace tactelier::devices {
namespace {

TEST(LineSplitter, LeavesOutEmptyLinesAndTheBlanksAround) {
  LineSplitter splitter;
  splitter.add(view_of("\n  M211 S1 ; ON\r\nok\nhal"));
  EXPECT_EQ(splitter.next(), "M211 S1 ; ON");
  EXPECT_EQ(splitter.next(), "ok");
  EXPECT_EQ(splitter.next(), std::nullopt);
  splitter.add(view_of("f\n" + std::string(5000, 'x')));
  EXPECT_EQ(splitter.next(), "half");
  EXPECT_EQ(splitter.next(), std::nullopt);
}

}  // namespace
}  // namespace tactelier::devices

#include "fitting/response/response_press.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tactelier {
namespace {

/// Rest, then each force for `rows` rows, then rest again; readings rise by one each row.
PressData press_of(const std::vector<double>& forces_N, int rows) {
  PressData data;
  const auto add = [&](double force_N) {
    data.time_s.push_back(0.1 * static_cast<double>(data.time_s.size()));
    data.force_N.push_back(force_N);
  };
  for (int i = 0; i < 5; ++i) add(0);
  for (const double force_N : forces_N)
    for (int i = 0; i < rows; ++i) add(force_N);
  for (int i = 0; i < 5; ++i) add(0);
  data.counts.emplace_back();
  for (std::size_t i = 0; i < data.time_s.size(); ++i)
    data.counts[0].push_back(static_cast<double>(i));
  data.peak = static_cast<std::size_t>(std::max_element(data.force_N.begin(), data.force_N.end()) -
                                       data.force_N.begin());
  return data;
}

PressContact touched_at(double time_s) {
  PressContact contact;
  contact.ok = contact.tared = true;
  contact.time_s = time_s;
  return contact;
}

TEST(ResponsePress, TakesAllReadingsUnderTheHeaviestWeight) {
  const auto press = split_press(press_of({1, 2, 3}, 4), 0, touched_at(0.5));
  EXPECT_EQ(press.loading.force_N, (std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
  EXPECT_EQ(press.loading.counts.back(), 16);
  EXPECT_EQ(press.unloading_force_N, (std::vector<double>{3}));
}

/// A ramp whose gauge repeats a value at its peak, as it turns back.
TEST(ResponsePress, EndsLoadingOfARampAtThePeak) {
  const auto press =
      split_press(press_of({0.5, 1, 1.5, 2, 2.5, 3, 3, 3, 2, 1}, 1), 0, touched_at(0.5));
  EXPECT_EQ(press.loading.force_N, (std::vector<double>{0.5, 1, 1.5, 2, 2.5, 3}));
  EXPECT_EQ(press.unloading_force_N, (std::vector<double>{3, 3, 3, 2, 1}));
}

}  // namespace
}  // namespace tactelier

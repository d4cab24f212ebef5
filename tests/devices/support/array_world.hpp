#pragma once
// What tests of an array's driver against its emulator have in common: a simulated world, both ends
// in it, and what was read.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "devices/emulator/fault.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

template <class Array, class ArrayEmulator>
class ArrayWorld : public testing::Test {
 protected:
  template <class Options>
  void open_and_start_with(const Options& options) {
    auto opened = Array::open(options, world_.connector());
    ASSERT_TRUE(opened) << opened.error().message;
    array_ = std::move(*opened);
    const auto started = array_->start();
    ASSERT_TRUE(started) << started.error().message;
  }
  Result<void> read_for(double time_s) {
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world_.now_ns() < end_ns)
      if (auto got = array_->read(frames_, Timeout(timeout_ms_)); !got) return got;
    return {};
  }
  void inject(Fault fault) { emulator_->inject(fault, world_.now_ns()); }
  /// Of what was sent from the first that was handed on.
  std::int64_t counted() const { return array_->counters().received + array_->counters().lost; }

  int timeout_ms_ = 200;  // of one reading
  SimulatedWorld world_;
  std::unique_ptr<ArrayEmulator> emulator_;
  std::unique_ptr<Array> array_;
  std::vector<TactileFrame> frames_;
};

}  // namespace tactelier::devices

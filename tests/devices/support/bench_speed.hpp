#pragma once
// How many times faster than real time a bench lives in tests: as fast as its readers keep up with
// it, two such tests at once, on the slowest machine that runs them.

namespace tactelier::rig {

#if defined(__SANITIZE_THREAD__)
constexpr double kBenchSpeed = 2;
#elif defined(__SANITIZE_ADDRESS__)
constexpr double kBenchSpeed = 4;
#else
constexpr double kBenchSpeed = 8;
#endif

}  // namespace tactelier::rig

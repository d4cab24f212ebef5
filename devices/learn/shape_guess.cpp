#include "devices/learn/shape_guess.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr std::size_t kMaxFrames = 400;
constexpr double kTogether = 0.3;  // of the variance: noise alone gives about 0

/// Readings without their mean over time.
std::vector<std::vector<double>> movements(const std::vector<std::vector<double>>& frames) {
  const auto every = (frames.size() + kMaxFrames - 1) / kMaxFrames;
  std::vector<std::vector<double>> moved;
  for (std::size_t i = 0; i < frames.size(); i += every) moved.push_back(frames[i]);
  for (std::size_t cell = 0; cell < moved.front().size(); ++cell) {
    double mean = 0;
    for (const auto& frame : moved) mean += frame[cell] / static_cast<double>(moved.size());
    for (auto& frame : moved) frame[cell] -= mean;
  }
  return moved;
}

/// How much readings `apart` places from each other go together, 1 when they are the same.
double together(const std::vector<std::vector<double>>& moved, std::size_t apart) {
  double shared = 0, all = 0;
  for (const auto& frame : moved)
    for (std::size_t i = 0; i < frame.size(); ++i) {
      all += frame[i] * frame[i];
      if (i + apart < frame.size()) shared += frame[i] * frame[i + apart];
    }
  return all > 0 ? shared / all : 0;
}

}  // namespace

ShapeGuess guess_shape(const std::vector<std::vector<double>>& frames) {
  const auto count = frames.front().size();
  ShapeGuess square{1, static_cast<int>(count), false}, best = square;
  double best_score = kTogether;
  const auto moved = movements(frames);
  for (std::size_t columns = 2; columns * 2 <= count; ++columns) {
    if (count % columns != 0) continue;
    const auto rows = count / columns;
    if (rows >= columns) square = {static_cast<int>(rows), static_cast<int>(columns), false};
    const double score = together(moved, columns);
    if (score <= best_score) continue;
    best_score = score;
    best = {static_cast<int>(rows), static_cast<int>(columns), true};
  }
  return best.sure ? best : square;
}

}  // namespace tactelier::devices

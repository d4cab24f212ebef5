#pragma once
// What an unknown board sends, worked out from a few seconds of its bytes: how frames are told
// apart, check, counter, clock, type and order of the readings. The result is a description for the
// framed-serial driver (tactile/frame_description.hpp), tried on the capture before it is believed.
// Nothing is certain that a board did not show while it was listened to: what was guessed is said.

#include <optional>
#include <string>
#include <vector>

#include "devices/framed/frame_description.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

struct LearnOptions {
  std::string name = "learned";
  double duration_s = 5;             // that the board took to send the capture
  std::optional<int> baud;           // goes into the description
  std::string start;                 // what was sent to make it stream, as in a description
  std::optional<int> rows, columns;  // instead of a guess
};

struct Learned {
  std::string document;               // description, JSON text
  DeviceDescription description;      // the same, read back
  std::vector<std::string> findings;  // "frames: AA 55 every 54 bytes, 100 a second"
  std::vector<std::string> doubts;    // "rows and columns: nothing was pressed; ..."
  std::size_t frames = 0;             // that the description finds in the capture
  double explained = 0;               // share of the bytes that are in them
};

/// Fails with kTimeout when there are no bytes, and with kProtocol when they show no frames.
Result<Learned> learn_frames(ByteView capture, const LearnOptions& options);

}  // namespace tactelier::devices

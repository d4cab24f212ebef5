#pragma once
// What a rig shows of itself some 60 times a second, as bytes on a socket.
//
// A client that asks {"do": "watch"} gets one line {"ok": true, ...} and from then on nothing but
// frames, one after the other, on that connection. All numbers are little-endian, doubles and
// floats as IEEE 754; offsets in bytes:
//
//     0  char[4]   "TLF1"
//     4  uint32    size of the whole frame: 152 + 4 n
//     8  uint64    number: frames made since the rig began; a gap was lost on the way to this
//     client
//    16  int64     now_ns     the rig's clock when the frame was made
//    24  int64     force_ns   the same clock when the newest force sample came; 0: none came yet
//    32  int64     frame_ns   ... the newest tactile frame
//    40  int64     stage_ns   ... the newest position
//    48  double[6] wrench     N and N m, force sensor's axes, not tared; the newest
//    96  double    force      N, pressing positive, tared; the newest
//   104  double    force_min  N, the least since the frame before
//   112  double    force_max  N, the most since the frame before
//   120  double[3] position   m, stage frame
//   144  uint32    bits: 1 position trusted
//   148  uint32    n
//   152  float[n]  counts     rows x columns x channels, row by row, as devices::TactileFrame
//
// Ages are differences to now_ns; an emulated rig's clock may run faster than a wall's.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier::rig {

struct LiveFrame {
  std::uint64_t number = 0;
  std::int64_t now_ns = 0, force_ns = 0, frame_ns = 0, stage_ns = 0;
  std::array<double, 6> wrench_SI{};
  double force_N = 0, force_min_N = 0, force_max_N = 0;
  std::array<double, 3> position_m{};
  bool position_trusted = false;
  std::vector<float> counts;

  bool operator==(const LiveFrame&) const = default;
};

std::string bytes_of(const LiveFrame& frame);

/// Cuts what a socket gives, in whatever pieces, into frames.
class LiveFrameReader {
 public:
  void add(std::string_view bytes) { pending_.append(bytes); }
  /// Nothing while the next frame isn't whole. Fails with kProtocol where no frame begins.
  Result<std::optional<LiveFrame>> next();

 private:
  std::string pending_;
};

}  // namespace tactelier::rig

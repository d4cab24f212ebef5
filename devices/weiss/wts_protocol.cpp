#include "devices/weiss/wts_protocol.hpp"

#include "devices/link/bytes.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {

Result<WtsMatrix> decode_wts_matrix(ByteView payload) {
  if (payload.size() < 10)
    return fail(ErrorCode::kProtocol, "WTS matrix info of {} bytes, 10 expected", payload.size());
  WtsMatrix matrix;
  matrix.columns = read_le<std::uint16_t>(payload, 0);
  matrix.rows = read_le<std::uint16_t>(payload, 2);
  matrix.pitch_x_m = mm_to_m(read_le<std::uint16_t>(payload, 4) * 0.01);
  matrix.pitch_y_m = mm_to_m(read_le<std::uint16_t>(payload, 6) * 0.01);
  matrix.full_scale = read_le<std::uint16_t>(payload, 8);
  if (matrix.columns < 1 || matrix.rows < 1 || matrix.columns > kMostWeissCells / matrix.rows)
    return fail(ErrorCode::kProtocol, "WTS matrix of {} x {} cells", matrix.rows, matrix.columns);
  return matrix;
}

}  // namespace tactelier::devices

#include "devices/weiss/dsa_protocol.hpp"

#include <bit>
#include <cmath>

#include "devices/link/bytes.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr int kMostMatrices = 64;
constexpr std::size_t kMatrixInfo = 50;  // cDSA::sMatrixInfo without its status
constexpr double kLargestTexel_m = 0.1;

double read_float(ByteView bytes, std::size_t at) {
  return static_cast<double>(std::bit_cast<float>(read_le<std::uint32_t>(bytes, at)));
}

void append_float(Bytes& bytes, double number) {
  append_le(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
}

}  // namespace

Bytes dsa_acquisition(bool run_lengths, int rate_hz) {
  Bytes payload{static_cast<std::uint8_t>(kDsaAcquires | (run_lengths ? kDsaRunLengths : 0))};
  append_le(payload, static_cast<std::uint16_t>(rate_hz));
  return payload;
}

Bytes dsa_end_of_acquisition() { return {kDsaRunLengths, 0, 0}; }

Bytes dsa_sensitivity(int matrix, double sensitivity) {
  Bytes payload{0, static_cast<std::uint8_t>(matrix)};
  append_float(payload, sensitivity);
  return payload;
}

Bytes dsa_threshold(int matrix, int counts) {
  Bytes payload{0, static_cast<std::uint8_t>(matrix)};
  append_le(payload, static_cast<std::uint16_t>(counts));
  return payload;
}

Result<DsaController> decode_dsa_controller(ByteView payload) {
  constexpr std::size_t kToFirmware = 7;
  if (payload.size() < kToFirmware)
    return fail(ErrorCode::kProtocol, "Weiss DSA controller info of {} bytes, at least {} expected",
                payload.size(), kToFirmware);
  return DsaController{read_le<std::uint32_t>(payload, 0), payload[4],
                       read_le<std::uint16_t>(payload, 5)};
}

Result<int> decode_dsa_matrix_count(ByteView payload) {
  constexpr std::size_t kSensorInfo = 10;  // cDSA::sSensorInfo without its status
  if (payload.size() < kSensorInfo)
    return fail(ErrorCode::kProtocol, "Weiss DSA sensor info of {} bytes, {} expected",
                payload.size(), kSensorInfo);
  const int count = read_le<std::uint16_t>(payload, 0);
  if (count < 1 || count > kMostMatrices)
    return fail(ErrorCode::kProtocol, "Weiss DSA sensor of {} matrices, 1 to {} expected", count,
                kMostMatrices);
  return count;
}

Result<DsaMatrix> decode_dsa_matrix(ByteView payload) {
  if (payload.size() < kMatrixInfo)
    return fail(ErrorCode::kProtocol, "Weiss DSA matrix info of {} bytes, {} expected",
                payload.size(), kMatrixInfo);
  DsaMatrix matrix;
  matrix.texel_width_m = mm_to_m(read_float(payload, 0));
  matrix.texel_height_m = mm_to_m(read_float(payload, 4));
  matrix.columns = read_le<std::uint16_t>(payload, 8);
  matrix.rows = read_le<std::uint16_t>(payload, 10);
  matrix.full_scale = read_float(payload, 45);
  if (matrix.columns < 1 || matrix.rows < 1 || matrix.columns > kMostWeissCells / matrix.rows)
    return fail(ErrorCode::kProtocol, "Weiss DSA matrix of {} x {} cells", matrix.rows,
                matrix.columns);
  for (const double size_m : {matrix.texel_width_m, matrix.texel_height_m})
    if (!(size_m >= 0 && size_m <= kLargestTexel_m))
      return fail(ErrorCode::kProtocol, "Weiss DSA matrix with texels of {} x {} mm",
                  m_to_mm(matrix.texel_width_m), m_to_mm(matrix.texel_height_m));
  return matrix;
}

Bytes encode_dsa_matrix(const DsaMatrix& matrix) {
  constexpr std::size_t kUidAndReserved = 8, kFloatsOfPlace = 6;
  Bytes payload;
  append_float(payload, m_to_mm(matrix.texel_width_m));
  append_float(payload, m_to_mm(matrix.texel_height_m));
  append_le(payload, static_cast<std::uint16_t>(matrix.columns));
  append_le(payload, static_cast<std::uint16_t>(matrix.rows));
  payload.insert(payload.end(), kUidAndReserved, 0);
  payload.push_back(1);  // hardware revision
  for (std::size_t i = 0; i < kFloatsOfPlace; ++i) append_float(payload, 0);
  append_float(payload, matrix.full_scale);
  payload.push_back(0);  // features
  return payload;
}

}  // namespace tactelier::devices

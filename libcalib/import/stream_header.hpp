#pragma once
// The first line of a stream's file: which columns it has, in which units.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

struct StreamHeader {
  StreamInfo info;                  // in our order: t, the readings, t_host, seq, status
  std::vector<std::size_t> slots;   // slots[column in the file] = column in info
  std::vector<std::string> labels;  // the header's cells, for messages
};

/// "Fz[N]" -> {"Fz", "N"}; without brackets the unit is empty.
struct NameAndUnit {
  std::string_view name;
  std::string_view unit;
};
NameAndUnit split_header_cell(std::string_view cell);

/// `place` is "force.csv:1". Fails on a column that the stream doesn't know, twice the same, a unit
/// that is missing, unknown or of the wrong kind, no "t", tactels that the sensor lacks or that the
/// file lacks.
Result<StreamHeader> read_stream_header(StreamKind kind, std::span<const std::string_view> cells,
                                        const SensorDescription& sensor, std::string_view place);

/// The header cell of a column: "Fz[N]", "14.x", "seq".
std::string header_cell(const ColumnInfo& column);

/// "14", or with several channels "14.x", "14.y", ... ("14.0", ... beyond three).
std::string tactel_column(int tactel, int channel, int channels);

}  // namespace tactelier

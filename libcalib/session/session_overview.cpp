// Session::overview(): minima and maxima of a column, stretch by stretch as it was recorded.

#include <array>
#include <cmath>
#include <utility>

#include "libcalib/session/session_impl.hpp"

namespace tactelier {
namespace {

double to_si(const Bound& bound, int exponent, double scale_to_si) {
  if (const auto* integer = std::get_if<std::int64_t>(&bound))
    return Decimal{*integer, exponent}.value() * scale_to_si;
  if (const auto* real = std::get_if<double>(&bound)) return *real * scale_to_si;
  return std::nan("");
}

/// One column of the points that are asked for.
class Overview {
 public:
  Overview(const StreamInfo& stream, std::size_t position, TimeRange range)
      : stream_(stream),
        position_(position),
        range_(range),
        scale_to_si_(stream.columns[position].to_si()) {}

  void add(ChunkReader& chunks, const NumberedChunk& chunk) {
    const auto rows = chunks.recorded_rows(stream_, chunk);
    if (rows.size() == 1)
      add_as_recorded(chunks, chunk);
    else
      add_compacted(chunks, chunk, rows);
  }
  std::vector<OverviewPoint> take() { return std::move(points_); }

 private:
  /// Its bounds are stored: nothing is decoded.
  void add_as_recorded(ChunkReader& chunks, const NumberedChunk& chunk) {
    const auto header = chunks.column_header(stream_, chunk, position_);
    if (header)
      add(chunk.header.t_first_s, chunk.header.t_last_s, {header->min, header->max},
          header->exponent);
  }

  void add_compacted(ChunkReader& chunks, const NumberedChunk& chunk, const RecordedRows& rows) {
    const auto columns = chunks.columns(stream_, chunk, std::array{std::size_t{0}, position_});
    if (!columns) return;
    const auto& time = *columns->front();
    const double time_to_s = stream_.columns.front().to_si();
    std::size_t first = 0;
    for (const auto count : rows) {
      const auto size = static_cast<std::size_t>(count);
      const double begin_s = time.si(first, time_to_s);
      const double end_s = time.si(first + size - 1, time_to_s);
      const auto& values = *columns->back();
      if (end_s >= range_.begin_s && begin_s < range_.end_s)
        add(begin_s, end_s, bounds(slice(values, first, size)),
            values.exponents.empty() ? values.exponent : 0);
      first += size;
    }
  }

  void add(double begin_s, double end_s, const Bounds& bounds, int exponent) {
    OverviewPoint point{begin_s, end_s, to_si(bounds.min, exponent, scale_to_si_),
                        to_si(bounds.max, exponent, scale_to_si_)};
    if (scale_to_si_ < 0) std::swap(point.min, point.max);
    points_.push_back(point);
  }

  const StreamInfo& stream_;
  std::size_t position_;
  TimeRange range_;
  double scale_to_si_;
  std::vector<OverviewPoint> points_;
};

}  // namespace

Result<std::vector<OverviewPoint>> Session::overview(StreamKind kind, std::string_view column,
                                                     TimeRange range) const {
  const auto stream = impl_->find(kind);
  if (!stream) return fail(stream.error());
  const std::string name(column);
  const auto positions = impl_->positions(**stream, {&name, 1});
  if (!positions) return fail(positions.error());
  Overview overview((*stream)->info, positions->back(), range);
  const auto done = impl_->walk(
      **stream, range, {}, [&](ChunkReader& chunks, const NumberedChunk& chunk) -> Result<void> {
        overview.add(chunks, chunk);
        return {};
      });
  if (!done) return fail(done.error());
  return overview.take();
}

}  // namespace tactelier

// Which column of a stream tells of a load.

#include <algorithm>
#include <cmath>

#include "fitting/recording/stream_reader.hpp"
#include "fitting/time/press_clock.hpp"

namespace tactelier {
namespace {

struct Load {
  std::vector<std::string> columns;
  double sign = 1;  // the load is sign times their sum
};

Load load_of(const FitContext& context, const Session& session, StreamKind kind) {
  const auto& info = session.stream(kind)->info;
  if (kind == StreamKind::kForce) {
    const auto axis = session.metadata().press_axis();
    return {{axis.column()}, axis.sign};
  }
  if (kind == StreamKind::kStage) return {{info.find("z_enc") >= 0 ? "z_enc" : "z"}, -1};
  Load load{{}, context.model.sensor.falling ? -1.0 : 1.0};
  for (const auto& column : info.columns)
    if (column.name.find_first_not_of("0123456789.xyz") == std::string::npos)
      load.columns.push_back(column.name);
  return load;
}

}  // namespace

Result<std::vector<double>> loaded_centres_s(const FitContext& context, std::size_t session,
                                             StreamKind kind) {
  const Session& file = *context.sessions[session].session;
  const auto load = load_of(context, file, kind);
  const auto& info = file.stream(kind)->info;
  if (load.columns.empty() || info.find(load.columns[0]) < 0) return std::vector<double>();
  LoadedParts parts;
  const auto done = file.scan(
      kind, load.columns, {},
      [&](const Samples& samples) -> Result<void> {
        for (std::size_t i = 0; i < samples.rows(); ++i) {
          double sum = 0;
          for (const auto& column : samples.columns) sum += column[i];
          parts.add(samples.time_s[i], load.sign * sum);
        }
        return {};
      },
      context.job);
  if (!done) return fail(done.error(), file.file().filename().string());
  return parts.centres_s();
}

}  // namespace tactelier

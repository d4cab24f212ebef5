// unpack -o FILE.mcap: a stream is a channel, a row a message of JSON with a schema.

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/workflow/open_data/mcap_file.hpp"
#include "app/workflow/open_data/unpack_table.hpp"
#include "devices/acquisition/session_document.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kWindow_s = 10;  // read at once, so that streams go in by time

json number_schema(const std::string& meaning) {
  return {{"type", "number"}, {"description", meaning}};
}

/// A missing value is left out of a message; only the time is always there.
std::string row_schema(const StreamColumns& columns) {
  json properties{{"time_s", number_schema("s of the stream's own clock")}};
  for (std::size_t i = 0; i < columns.names.size(); ++i)
    properties[columns.names[i]] =
        number_schema(columns.units[i].empty() ? "as the device counts" : columns.units[i]);
  return json{{"type", "object"}, {"properties", properties}, {"required", {"time_s"}}}.dump();
}

std::string event_schema() {
  return json{{"type", "object"},
              {"properties",
               {{"time_s", number_schema("s of the host's clock")},
                {"name", {{"type", "string"}}},
                {"data", {{"type", "object"}}}}},
              {"required", {"time_s", "name", "data"}}}
      .dump();
}

std::string row_message(double time_s, const std::vector<std::string>& keys, const Samples& samples,
                        std::size_t row) {
  auto text = fmt::format("{{\"time_s\":{}", time_s);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const double value = samples.columns[i][row]; std::isfinite(value))
      text += fmt::format(",{}:{}", keys[i], value);
  return text += '}';
}

struct TimedMessage {
  double time_s = 0;
  std::uint16_t channel = 0;
  std::string text;
};

class SessionToMcap {
 public:
  SessionToMcap(const Session& session, McapFile& file, const Job& job)
      : session_(session), file_(file), job_(job) {
    const auto created = time_of_created();
    origin_ns_ = created.value_or(0);
  }

  Result<void> write() {
    add_channels();
    for (double begin_s = next_begin(-kForever); begin_s < kForever; begin_s = next_begin(begin_s))
      if (auto done = write_window(begin_s, begin_s + kWindow_s); !done) return done;
    return {};
  }
  std::uint64_t origin_ns() const { return origin_ns_; }

 private:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  struct Source {
    StreamKind kind{};
    double begin_s = 0, end_s = 0;
    std::vector<std::string> columns, keys;  // keys: as JSON has them
    std::uint16_t channel = 0;
  };

  std::optional<std::uint64_t> time_of_created() const {
    const auto time = rig::time_of_utc(session_.metadata().created);
    if (!time) return std::nullopt;
    const auto since =
        std::chrono::duration_cast<std::chrono::nanoseconds>(time->time_since_epoch());
    return since.count() < 0 ? 0 : static_cast<std::uint64_t>(since.count());
  }

  std::uint64_t at_ns(double time_s) const {
    const double after_ns = time_s * 1e9;
    const auto origin = static_cast<double>(origin_ns_);
    if (after_ns < 0)
      return -after_ns > origin ? 0
                                : origin_ns_ - static_cast<std::uint64_t>(std::llround(-after_ns));
    return origin_ns_ + static_cast<std::uint64_t>(std::llround(after_ns));
  }

  void add_channels() {
    for (const auto& stream : session_.streams()) {
      const auto columns = stream_columns(stream.info);
      if (columns.names.empty() || stream.rows == 0) continue;
      const std::string name(to_string(stream.info.kind));
      Source source{stream.info.kind, stream.begin_s, stream.end_s, columns.names, {}, 0};
      for (const auto& column : columns.names) source.keys.push_back(json(column).dump());
      source.channel = file_.add_channel("/" + name, "tactelier." + name, row_schema(columns), {});
      sources_.push_back(std::move(source));
    }
    if (session_.events().empty()) return;
    event_channel_ = file_.add_channel("/events", "tactelier.event", event_schema(), {});
    const auto by_time = [](const Event& a, const Event& b) {
      return a.t_s.value() < b.t_s.value();
    };
    const auto [first, last] =
        std::minmax_element(session_.events().begin(), session_.events().end(), by_time);
    spans_.emplace_back(first->t_s.value(), last->t_s.value());
  }

  /// Where the window behind the one from `begin_s` begins: at once where anything goes on, else at
  /// the next begin. Clocks of streams may lie years apart.
  double next_begin(double begin_s) const {
    const double end_s = begin_s + kWindow_s;
    double next_s = kForever;
    const auto look = [&](double from_s, double to_s) {
      if (to_s >= end_s) next_s = std::min(next_s, std::max(from_s, end_s));
    };
    for (const auto& source : sources_) look(source.begin_s, source.end_s);
    for (const auto& [from_s, to_s] : spans_) look(from_s, to_s);
    return next_s;
  }

  Result<void> write_window(double begin_s, double end_s) {
    std::vector<TimedMessage> messages;
    for (const auto& source : sources_)
      if (auto done = add_rows(source, begin_s, end_s, messages); !done) return done;
    for (const auto& event : session_.events())
      if (const double time_s = event.t_s.value(); time_s >= begin_s && time_s < end_s)
        messages.push_back({time_s, event_channel_,
                            fmt::format("{{\"time_s\":{},\"name\":{},\"data\":{}}}", time_s,
                                        json(event.name).dump(), event.data)});
    std::ranges::stable_sort(messages, {}, &TimedMessage::time_s);
    for (const auto& message : messages)
      file_.add_message(message.channel, at_ns(message.time_s), message.text);
    return {};
  }

  Result<void> add_rows(const Source& source, double begin_s, double end_s,
                        std::vector<TimedMessage>& messages) const {
    if (source.end_s < begin_s || source.begin_s >= end_s) return {};
    const auto add = [&](const Samples& samples) -> Result<void> {
      for (std::size_t row = 0; row < samples.rows(); ++row)
        if (const double time_s = samples.time_s[row]; time_s >= begin_s && time_s < end_s)
          messages.push_back(
              {time_s, source.channel, row_message(time_s, source.keys, samples, row)});
      return {};
    };
    return session_.scan(source.kind, source.columns, {begin_s, end_s}, add, job_);
  }

  const Session& session_;
  McapFile& file_;
  const Job& job_;
  std::uint64_t origin_ns_ = 0;
  std::vector<Source> sources_;
  std::vector<std::pair<double, double>> spans_;  // of events
  std::uint16_t event_channel_ = 0;
};

}  // namespace

Result<void> write_mcap(const Session& session, const std::filesystem::path& file, const Job& job) {
  const auto hash = session.content_hash();
  if (!hash) return fail(hash.error());
  auto mcap = McapFile::begin(file);
  if (!mcap) return fail(mcap.error());
  SessionToMcap writer(session, *mcap, job);
  if (auto done = writer.write(); !done) return done;
  mcap->attach("session.json", "application/json", writer.origin_ns(), session.metadata().document);
  mcap->add_metadata("tactelier/session", {{"content_hash", *hash}});
  return mcap->finish();
}

}  // namespace tactelier

// apply --live

#include <csignal>

#include "app/cli/commands.hpp"
#include "app/workflow/datagrams.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/json_values.hpp"
#include "app/workflow/newton_lines.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json begin_json(const LiveBegin& begin, const std::string& udp) {
  auto arrays = json::array();
  for (const auto& [rows, columns] : begin.arrays)
    arrays.push_back({{"rows", rows}, {"columns", columns}});
  return {{"sensor", begin.sensor},
          {"serial", begin.serial},
          {"place", begin.place},
          {"arrays", std::move(arrays)},
          {"tactels", begin.tactels},
          {"calibrated", begin.calibrated},
          {"total", begin.total},
          {"udp", udp.empty() ? json(nullptr) : json(udp)},
          {"zero", begin.zero_taken ? "start" : "model"},
          {"zero_frames", begin.zero_frames},
          {"zero_shift_counts", begin.largest_shift_counts}};
}

std::string begin_text(const LiveBegin& begin) {
  auto text = fmt::format("{}{}{} at {}: newtons of {} of {} tactels; ", begin.sensor,
                          begin.serial.empty() ? "" : " ", begin.serial, begin.place,
                          begin.calibrated, begin.tactels);
  if (!begin.zero_taken) return text + "the zero is the model's";
  return text + fmt::format(
                    "the zero is the mean of the first {} frames, at most {:.1f} counts "
                    "from the model's",
                    begin.zero_frames, begin.largest_shift_counts);
}

std::string end_text(const LiveReport& report) {
  return fmt::format(
      "{} frames in {:.1f} s, {:.1f} /s; {} lost, {} damaged; a frame's last byte to its line "
      "took {:.2f} ms, {:.2f} ms at worst",
      report.frames, report.time_s, report.rate_hz(), report.counters.lost,
      report.counters.malformed, 1e3 * report.mean_latency_s, 1e3 * report.worst_latency_s);
}

/// Frames as lines: to standard output a batch at once, or each as a datagram.
class NewtonLines {
 public:
  NewtonLines(Console& console, std::optional<Datagrams> datagrams)
      : console_(console), datagrams_(std::move(datagrams)) {}

  void begin(const LiveBegin& begin) {
    total_ = begin.total;
    if (!datagrams_ && !console_.json())
      (void)console_.stream(newton_header(begin.tactels, total_));
  }
  void add(const NewtonFrame& frame) {
    if (console_.json())
      append_json(frame, total_, lines_);
    else
      append_text(frame, total_, lines_);
    if (!datagrams_) return;
    datagrams_->send(lines_);
    lines_.clear();
    if (datagrams_->refused() == 1 && !told_) {
      console_.note("nobody takes the datagrams yet; they go on");
      told_ = true;
    }
  }
  bool write() {
    const bool read = datagrams_ || console_.stream(lines_);
    lines_.clear();
    return read;
  }

 private:
  Console& console_;
  std::optional<Datagrams> datagrams_;
  std::string lines_;
  bool total_ = false, told_ = false;
};

Result<std::optional<Datagrams>> datagrams_to(const std::string& udp) {
  if (udp.empty()) return std::optional<Datagrams>();
  return Datagrams::to(udp).map([](Datagrams made) { return std::optional(std::move(made)); });
}

}  // namespace

int run_apply_live(Console& console, const LiveRequest& request, const std::string& udp) {
  auto datagrams = datagrams_to(udp);
  if (!datagrams) return console.fail(datagrams.error());
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves ends the stream in order
  NewtonLines lines(console, std::move(*datagrams));
  LiveListener listener;
  listener.begin = [&](const LiveBegin& begin) -> Result<void> {
    if (!udp.empty() && longest_line(begin.tactels) > kLargestDatagram)
      return fail(ErrorCode::kUsage,
                  "--udp: a frame of {} tactels may be longer than a datagram ({} bytes); leave "
                  "--udp out",
                  begin.tactels, kLargestDatagram);
    console.announce(begin_json(begin, udp), begin.warnings);
    console.note(begin_text(begin));
    lines.begin(begin);
    return {};
  };
  listener.frame = [&](const NewtonFrame& frame) {
    lines.add(frame);
    return true;
  };
  listener.batch = [&] { return lines.write(); };
  listener.say = [&](const std::string& words) { console.note(words); };
  const auto report = stream_newtons(request, listener, console.job());
  if (!report) return console.fail(report.error());
  console.note(end_text(*report));
  return kExitDone;
}

}  // namespace tactelier::cli

#include "app/workflow/learn_device.hpp"

#include <array>

#include "devices/server/device_claim.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using devices::Bytes;
using devices::Timeout;

constexpr Timeout kPiece{100};
constexpr Timeout kSend{1000};
constexpr std::size_t kMaxBytes = 16U << 20U;

bool is_url(const std::string& port) {
  return port.starts_with("serial:") || port.starts_with("pty:") || port.starts_with("tcp:") ||
         port.starts_with("udp:");
}

std::string url_of(const LearnRequest& request) {
  if (is_url(request.port)) return request.port;
  return fmt::format("serial:{}?baud={}", request.port, request.baud);
}

struct Capture {
  Bytes bytes;
  double duration_s = 0;  // that the board took to send them
};

/// From the first piece to the last: a board that begins late or a host that is held up at the end
/// would else seem to send more slowly than its own clock says.
class Arrivals {
 public:
  void add(std::size_t size, double at_s) {
    if (first_size_ == 0) first_size_ = size, first_s_ = at_s;
    size_ += size;
    last_s_ = at_s;
  }

  double duration_s(double listened_s) const {
    if (size_ == first_size_) return listened_s;
    return (last_s_ - first_s_) * static_cast<double>(size_) /
           static_cast<double>(size_ - first_size_);
  }

 private:
  std::size_t size_ = 0, first_size_ = 0;
  double first_s_ = 0, last_s_ = 0;
};

Result<Capture> capture(devices::Link& link, double seconds, const Job& job) {
  Bytes all, piece(65536);
  Arrivals arrivals;
  auto& clock = link.clock();
  const auto begin_ns = clock.now_ns();
  const auto passed_s = [&] { return static_cast<double>(clock.now_ns() - begin_ns) * 1e-9; };
  while (passed_s() < seconds && all.size() < kMaxBytes) {
    if (job.stopped()) return Job::cancelled();
    job.progress("listen", passed_s(), seconds);
    const auto got = link.receive(piece, kPiece);
    if (got) {
      all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got->size));
      arrivals.add(got->size, passed_s());
    } else if (got.error().code != ErrorCode::kTimeout) {
      return fail(got.error());
    }
  }
  return Capture{std::move(all), arrivals.duration_s(passed_s())};
}

}  // namespace

Result<devices::Learned> learn_device(const LearnRequest& request, const Job& job) {
  const auto start = devices::bytes_in_text(request.send);
  if (!start)
    return fail(ErrorCode::kUsage,
                "--send '{}': bytes like \"AA 55 01\" or a text like \"'S'\" expected",
                request.send);
  const std::array urls{url_of(request)};
  const auto claim = rig::DeviceClaim::take(urls, {"'tactelier devices learn'", {}, {}});
  if (!claim) return fail(claim.error());
  const auto link = devices::open_link(urls[0]);
  if (!link) return fail(link.error());
  if (!start->empty())
    if (auto sent = (*link)->send(*start, kSend); !sent) return fail(sent.error());
  const auto captured = capture(**link, request.seconds, job);
  if (!captured) return fail(captured.error());
  devices::LearnOptions options;
  options.duration_s = captured->duration_s;
  options.baud = request.baud;
  options.start = request.send;
  options.rows = request.rows;
  options.columns = request.columns;
  if (request.target) options.name = request.target->stem().string();
  auto learned = devices::learn_frames(captured->bytes, options);
  if (!learned || !request.target) return learned;
  if (auto written = write_text_file(*request.target, learned->document); !written)
    return fail(written.error());
  return learned;
}

nlohmann::json learned_json(const devices::Learned& learned) {
  return {{"description", nlohmann::json::parse(learned.document)},
          {"findings", learned.findings},
          {"frames", learned.frames},
          {"explained", learned.explained}};
}

Warnings doubts_of(const devices::Learned& learned, const LearnRequest& request) {
  Warnings warnings;
  for (const auto& doubt : learned.doubts) warnings.push_back({"UNSURE", doubt, request.port});
  return warnings;
}

}  // namespace tactelier

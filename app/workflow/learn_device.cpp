#include "app/workflow/learn_device.hpp"

#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using devices::Bytes;
using devices::Timeout;

constexpr Timeout kPiece{100};
constexpr Timeout kSend{1000};
constexpr std::size_t kMostBytes = 16U << 20U;

bool is_url(const std::string& port) {
  return port.starts_with("serial:") || port.starts_with("pty:") || port.starts_with("tcp:") ||
         port.starts_with("udp:");
}

std::string url_of(const LearnRequest& request) {
  if (is_url(request.port)) return request.port;
  return fmt::format("serial:{}?baud={}", request.port, request.baud);
}

Result<Bytes> capture(devices::Link& link, double seconds, const Job& job) {
  Bytes all, piece(65536);
  auto& clock = link.clock();
  const auto begin_ns = clock.now_ns();
  const auto passed_s = [&] { return static_cast<double>(clock.now_ns() - begin_ns) * 1e-9; };
  while (passed_s() < seconds && all.size() < kMostBytes) {
    if (job.stopped()) return Job::cancelled();
    job.progress("listen", passed_s(), seconds);
    const auto got = link.receive(piece, kPiece);
    if (got)
      all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got->size));
    else if (got.error().code != ErrorCode::kTimeout)
      return fail(got.error());
  }
  return all;
}

}  // namespace

Result<devices::Learned> learn_device(const LearnRequest& request, const Job& job) {
  const auto start = devices::bytes_in_text(request.send);
  if (!start)
    return fail(ErrorCode::kUsage,
                "--send '{}': bytes like \"AA 55 01\" or a text like \"'S'\" expected",
                request.send);
  const auto link = devices::open_link(url_of(request));
  if (!link) return fail(link.error());
  if (!start->empty())
    if (auto sent = (*link)->send(*start, kSend); !sent) return fail(sent.error());
  const auto bytes = capture(**link, request.seconds, job);
  if (!bytes) return fail(bytes.error());
  devices::LearnOptions options;
  options.duration_s = request.seconds;
  options.baud = request.baud;
  options.start = request.send;
  options.rows = request.rows;
  options.columns = request.columns;
  if (request.target) options.name = request.target->stem().string();
  auto learned = devices::learn_frames(*bytes, options);
  if (!learned || !request.target) return learned;
  if (auto written = write_text_file(*request.target, learned->document); !written)
    return fail(written.error());
  return learned;
}

}  // namespace tactelier

#include "devices/weiss/wts_array.hpp"

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kAnswer{1000};
constexpr Timeout kQuiet{50};
constexpr Timeout kDrain{200};

}  // namespace

WtsArray::WtsArray(const WtsOptions& options, std::unique_ptr<Link> link)
    : WeissArray(WeissDialect::kWts, "a Weiss WTS", std::move(link)), options_(options) {}

Result<std::unique_ptr<WtsArray>> WtsArray::open(const WtsOptions& options,
                                                 const Connector& connect) {
  if (options.period_ms < 0 || options.period_ms > 65535)
    return fail(ErrorCode::kUsage, "period_ms {}: 0 to 65535 expected", options.period_ms);
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<WtsArray> array(new WtsArray(options, std::move(*link)));
  const auto stop = static_cast<std::uint8_t>(WtsCommand::kStopPeriodic);
  if (auto stopped = array->send_unanswered(stop, {}); !stopped) return fail(stopped.error());
  if (auto quiet = array->discard(kQuiet, kDrain); !quiet) return fail(quiet.error());
  return array->ask(WtsCommand::kMatrixInfo, {})
      .and_then([](const Bytes& payload) { return decode_wts_matrix(payload); })
      .map([&](const WtsMatrix& matrix) {
        array->matrix_ = matrix;
        array->expect(static_cast<std::size_t>(matrix.rows * matrix.columns),
                      {matrix.rows, matrix.columns, 1, 1e-3});
        return std::move(array);
      });
}

Result<Bytes> WtsArray::ask(WtsCommand command, const Bytes& payload) {
  return WeissArray::ask(static_cast<std::uint8_t>(command), payload, kAnswer);
}

Result<void> WtsArray::start() {
  Bytes payload{static_cast<std::uint8_t>(options_.run_lengths ? 1 : 0)};
  append_le(payload, static_cast<std::uint16_t>(options_.period_ms));
  begin_stream();
  return ask(WtsCommand::kStartPeriodic, payload).map([](const Bytes&) {});
}

Result<void> WtsArray::stop() {
  return ask(WtsCommand::kStopPeriodic, {}).map([](const Bytes&) {});
}

std::int64_t WtsArray::lost_in(std::int64_t step_ms) {
  if (options_.period_ms == 0) return 0;
  return (step_ms + options_.period_ms / 2) / options_.period_ms - 1;
}

}  // namespace tactelier::devices

#include "devices/weiss/dsa_array.hpp"

#include <algorithm>
#include <numeric>

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
// A controller prints ESC [5n three times some 7 s after power-up and hears commands after 8 s; one
// that streams may spoil the first answer (SDHLibrary-CPP, sdh/dsa.cpp: cDSA::Open(), four attempts
// of 3 s, then the input is thrown away until it is quiet, 1 s at most).
constexpr int kAttempts = 4;
constexpr Timeout kFirstAnswer{3000};
constexpr Timeout kAnswer{1000};
constexpr Timeout kQuiet{100};  // three frames
constexpr Timeout kDrain{1000};

std::string shapes_of(const std::vector<DsaMatrix>& matrices) {
  std::string text;
  for (std::size_t i = 0; i < matrices.size(); ++i)
    text +=
        fmt::format("{}{}: {} x {}", i > 0 ? ", " : "", i, matrices[i].rows, matrices[i].columns);
  return text;
}

Result<void> check(const DsaOptions& options) {
  if (options.rate_hz < 1 || options.rate_hz > kDsaFastest_hz)
    return fail(ErrorCode::kUsage, "rate_hz {}: 1 to {} expected", options.rate_hz, kDsaFastest_hz);
  if (options.threshold && (*options.threshold < 0 || *options.threshold > kDsaFullScale))
    return fail(ErrorCode::kUsage, "threshold {}: 0 to {} expected", *options.threshold,
                kDsaFullScale);
  if (options.sensitivity && !(*options.sensitivity >= 0 && *options.sensitivity <= 1))
    return fail(ErrorCode::kUsage, "sensitivity {}: 0 to 1 expected", *options.sensitivity);
  auto sorted = options.matrices;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return fail(ErrorCode::kUsage, "matrices: {} is named twice", *twice);
  return {};
}

}  // namespace

DsaArray::DsaArray(const DsaOptions& options, std::unique_ptr<Link> link)
    : WeissArray(WeissDialect::kDsa, "a Weiss DSA controller", std::move(link)),
      options_(options) {}

Result<std::unique_ptr<DsaArray>> DsaArray::open(const DsaOptions& options,
                                                 const Connector& connect) {
  if (auto checked = check(options); !checked) return fail(checked.error());
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<DsaArray> array(new DsaArray(options, std::move(*link)));
  return array->silence()
      .and_then([&] { return array->look(); })
      .and_then([&] { return array->choose(); })
      .map([&] { return std::move(array); });
}

Result<Bytes> DsaArray::ask(DsaCommand command, const Bytes& payload) {
  return WeissArray::ask(static_cast<std::uint8_t>(command), payload, kAnswer);
}

Result<void> DsaArray::silence() {
  Result<Bytes> stopped;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    stopped = WeissArray::ask(static_cast<std::uint8_t>(DsaCommand::kAcquire),
                              dsa_end_of_acquisition(), kFirstAnswer);
    if (stopped) return discard(kQuiet, kDrain);
    if (stopped.error().code != ErrorCode::kTimeout) break;
  }
  return fail(stopped.error());
}

Result<void> DsaArray::look() {
  return ask(DsaCommand::kControllerInfo, {})
      .and_then([](const Bytes& payload) { return decode_dsa_controller(payload); })
      .and_then([&](const DsaController& controller) {
        controller_ = controller;
        return ask(DsaCommand::kSensorInfo, {});
      })
      .and_then([](const Bytes& payload) { return decode_dsa_matrix_count(payload); })
      .and_then([&](int count) -> Result<void> {
        for (int number = 0; number < count; ++number) {
          const auto matrix =
              ask(DsaCommand::kMatrixInfo, {static_cast<std::uint8_t>(number)})
                  .and_then([](const Bytes& payload) { return decode_dsa_matrix(payload); });
          if (!matrix) return fail(matrix.error());
          matrices_.push_back(*matrix);
        }
        return {};
      });
}

Result<void> DsaArray::choose() {
  if (options_.threshold && controller_.firmware < kDsaThresholdFirmware)
    return fail(ErrorCode::kInvalidInput,
                "{}: firmware {} of the controller knows no thresholds, {} and later do: leave "
                "'threshold' out",
                link().url(), controller_.firmware, kDsaThresholdFirmware);
  std::vector<std::size_t> offsets;
  std::size_t cells = 0;
  for (const auto& matrix : matrices_) {
    offsets.push_back(cells);
    cells += static_cast<std::size_t>(matrix.cells());
  }
  if (cells > kMostWeissCells)
    return fail(ErrorCode::kProtocol, "{}: {} cells in all matrices, at most {} expected",
                link().url(), cells, kMostWeissCells);
  chosen_ = options_.matrices;
  if (chosen_.empty()) {
    chosen_.resize(matrices_.size());
    std::iota(chosen_.begin(), chosen_.end(), 0);
  }
  const auto count = static_cast<int>(matrices_.size());
  bool same_width = true;
  for (const int number : chosen_) {
    if (number < 0 || number >= count)
      return fail(ErrorCode::kInvalidInput, "{}: matrices: {} isn't there; the controller has {}",
                  link().url(), number, shapes_of(matrices_));
    const auto& matrix = matrices_[static_cast<std::size_t>(number)];
    const auto& first = matrices_[static_cast<std::size_t>(chosen_.front())];
    same_width &= matrix.columns == first.columns;
    const auto size = static_cast<std::size_t>(matrix.cells());
    for (std::size_t i = 0; i < size; ++i)
      cell_of_count_.push_back(offsets[static_cast<std::size_t>(number)] + i);
  }
  const auto tactels = static_cast<int>(cell_of_count_.size());
  const int columns =
      same_width ? matrices_[static_cast<std::size_t>(chosen_.front())].columns : tactels;
  expect(cells, {tactels / columns, columns, 1, 1e-3});
  return {};
}

std::vector<double> DsaArray::counts_of(const std::vector<std::uint16_t>& cells) const {
  std::vector<double> counts;
  counts.reserve(cell_of_count_.size());
  for (const auto cell : cell_of_count_) counts.push_back(cells[cell]);
  return counts;
}

Result<void> DsaArray::apply_settings() {
  if (!options_.change_settings) return {};
  for (const int matrix : chosen_) {
    if (options_.sensitivity)
      if (auto set =
              ask(DsaCommand::kAdjustSensitivity, dsa_sensitivity(matrix, *options_.sensitivity));
          !set)
        return fail(set.error());
    if (options_.threshold)
      if (auto set = ask(DsaCommand::kSetThreshold, dsa_threshold(matrix, *options_.threshold));
          !set)
        return fail(set.error());
  }
  return {};
}

Result<void> DsaArray::start() {
  return silence()
      .and_then([&] { return apply_settings(); })
      .and_then([&] {
        begin_stream();
        return ask(DsaCommand::kAcquire, dsa_acquisition(options_.run_lengths, options_.rate_hz));
      })
      .map([](const Bytes&) {});
}

Result<void> DsaArray::stop() {
  return ask(DsaCommand::kAcquire, dsa_end_of_acquisition()).map([](const Bytes&) {});
}

}  // namespace tactelier::devices

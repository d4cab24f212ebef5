#include "devices/emulator/wts_emulator.hpp"

#include <algorithm>
#include <cmath>

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kAnswer_ns = 3'000'000;
constexpr std::uint16_t kNoSensor = 2, kAlreadyRunning = 4, kNotEnough = 13;
constexpr double kFullScale = 4095;
constexpr std::int16_t kTemperature_ddegC = 253;

Bytes text_bytes(std::string_view text) { return Bytes(text.begin(), text.end()); }

}  // namespace

WtsEmulator::WtsEmulator(const WtsBoard& board, CountsSource counts, std::int64_t power_up_ns)
    : board_(board),
      counts_(std::move(counts)),
      wire_(board.baud / 10),
      power_up_ns_(power_up_ns),
      now_ns_(power_up_ns) {}

void WtsEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  heard_.add(bytes);
  while (const auto request = heard_.next()) answer(*request, now_ns + kAnswer_ns);
}

void WtsEmulator::reply(WtsCommand id, std::uint16_t status, const Bytes& rest,
                        std::int64_t now_ns) {
  WtsFrame frame{id, {}};
  append_le(frame.payload, status);
  frame.payload.insert(frame.payload.end(), rest.begin(), rest.end());
  wire_.send(now_ns, encode(frame));
}

Bytes WtsEmulator::matrix_info() const {
  Bytes info;
  for (const int number : {board_.columns, board_.rows, board_.pitch_um / 10, board_.pitch_um / 10,
                           static_cast<int>(kFullScale)})
    append_le(info, static_cast<std::uint16_t>(number));
  return info;
}

void WtsEmulator::answer(const WtsFrame& request, std::int64_t now_ns) {
  const auto& given = request.payload;
  const auto id = request.id;
  const auto done = [&](const Bytes& rest = {}) { reply(id, kWeissSuccess, rest, now_ns); };
  const auto refuse = [&](std::uint16_t status) { reply(id, status, {}, now_ns); };
  if (wire_.strikes(FaultKind::kAlarm, now_ns)) return refuse(kNoSensor);
  switch (id) {
    case WtsCommand::kLoop:
      return done(given);
    case WtsCommand::kSingleFrame:
      if (given.empty()) return refuse(kNotEnough);
      return done(encode_weiss_readings(measure(now_ns), (given[0] & 1U) != 0));
    case WtsCommand::kStartPeriodic: {
      if (given.size() < 3) return refuse(kNotEnough);
      if (streaming_) return refuse(kAlreadyRunning);
      const auto period_ms = read_le<std::uint16_t>(given, 1);
      rle_ = (given[0] & 1U) != 0;
      const double period_s = period_ms > 0 ? period_ms * 1e-3 : 1 / board_.fastest_hz;
      period_ns_ = std::llround(1e9 * period_s / (1 + board_.clock_ppm * 1e-6));
      streaming_ = true;
      next_frame_ns_ = now_ns + period_ns_;
      return done();
    }
    case WtsCommand::kStopPeriodic:
      streaming_ = false;
      return done();
    case WtsCommand::kTare:
      if (given.empty()) return refuse(kNotEnough);
      tare_ = given[0] != 0 ? counts_(now_ns) : std::vector<double>{};
      return done();
    case WtsCommand::kMatrixInfo:
      return done(matrix_info());
    case WtsCommand::kSetThreshold:
      if (given.size() < 2) return refuse(kNotEnough);
      threshold_ = read_le<std::uint16_t>(given, 0);
      return done();
    case WtsCommand::kGetThreshold: {
      Bytes rest;
      append_le(rest, threshold_);
      return done(rest);
    }
    case WtsCommand::kSetGain:
      if (given.empty()) return refuse(kNotEnough);
      gain_ = given[0];
      return done();
    case WtsCommand::kGetGain:
      return done({gain_});
    case WtsCommand::kSensorType:
      return done(text_bytes("WTS 0614-34"));
    case WtsCommand::kTemperature: {
      Bytes rest;
      append_le(rest, kTemperature_ddegC);
      return done(rest);
    }
    case WtsCommand::kSystemInfo:
      return done({1, 1, 0x00, 0x11, 0x2A, 0, 0, 0});  // WTS, hardware 1, firmware 1.1.0, serial 42
    case WtsCommand::kGetTag:
      return done(text_bytes("emulated"));
    default:
      return refuse(kWtsCommandUnknown);
  }
}

WeissReadings WtsEmulator::measure(std::int64_t time_ns) {
  auto counts = counts_(time_ns);
  if (wire_.strikes(FaultKind::kWrongData, time_ns) && !last_.empty()) counts = last_;
  last_ = counts;
  if (wire_.lasting(FaultKind::kSaturate, time_ns))
    std::fill(counts.begin(), counts.end(), kFullScale);
  const double up_ms =
      static_cast<double>(time_ns - power_up_ns_) * 1e-6 * (1 + board_.clock_ppm * 1e-6);
  WeissReadings readings{board_.first_ms + static_cast<std::uint32_t>(std::llround(up_ms)), {}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double less = i < tare_.size() ? tare_[i] : 0;
    const double value = std::clamp(std::round(counts[i] - less), 0.0, kFullScale);
    readings.cells.push_back(value < threshold_ ? std::uint16_t{0}
                                                : static_cast<std::uint16_t>(value));
  }
  return readings;
}

void WtsEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) {
    streaming_ = false;
    power_up_ns_ = now_ns;
    board_.first_ms = 0;
  }
  while (streaming_ && next_frame_ns_ <= now_ns) {
    wire_.send(
        next_frame_ns_,
        encode(WtsFrame{WtsCommand::kFrame, encode_weiss_readings(measure(next_frame_ns_), rle_)}));
    ++frames_sent_;
    next_frame_ns_ += period_ns_;
  }
}

std::int64_t WtsEmulator::next_ns() const {
  const auto next_ns = std::min(wire_.next_ns(), wire_.next_strike_ns(now_ns_));
  return streaming_ ? std::min(next_ns, next_frame_ns_) : next_ns;
}

}  // namespace tactelier::devices

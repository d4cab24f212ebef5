#include "devices/contactile/papillarray_array.hpp"

#include <algorithm>

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kSend{500};
constexpr Timeout kFirst{3000};  // it begins once somebody has opened its port
constexpr int kMostChunks = 64;
constexpr int kChannels = 3;  // X, Y, Z

Result<void> check(const PapillArrayOptions& options) {
  const auto& rates = kPapillArrayRates_hz;
  if (options.rate_hz != 0 && std::find(rates.begin(), rates.end(), options.rate_hz) == rates.end())
    return fail(ErrorCode::kUsage, "rate_hz {}: one of {} expected", options.rate_hz,
                fmt::join(rates, ", "));
  return {};
}

/// Three by three is what there is to buy; other square numbers alike, else one row.
TactileShape shape_of(int pillars) {
  TactileShape shape{1, pillars, kChannels, 1e-6, true};
  for (int side = 2; side * side <= pillars; ++side)
    if (side * side == pillars) shape.rows = shape.columns = side;
  return shape;
}

}  // namespace

PapillArray::PapillArray(const PapillArrayOptions& options, std::unique_ptr<Link> link)
    : options_(options), link_(std::move(link)), buffer_(4096) {}

Result<std::unique_ptr<PapillArray>> PapillArray::open(const PapillArrayOptions& options,
                                                       const Connector& connect) {
  if (auto checked = check(options); !checked) return fail(checked.error());
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<PapillArray> array(new PapillArray(options, std::move(*link)));
  return array->learn_shape().map([&] { return std::move(array); });
}

Result<void> PapillArray::learn_shape() {
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(kFirst);
  while (true) {
    while (const auto content = finder_.next()) {
      const auto packet = decode_papillarray(*content);
      if (!packet) continue;
      const auto arrays = packet->sensors.size(), wanted = static_cast<std::size_t>(options_.array);
      if (options_.array < 0 || wanted >= arrays || packet->sensors[wanted].empty())
        return fail(ErrorCode::kInvalidInput,
                    "{}: array {}: the controller sends {} array{}, counted from 0", link_->url(),
                    options_.array, arrays, arrays == 1 ? "" : "s");
      shape_ = shape_of(static_cast<int>(packet->sensors[wanted].size()));
      return {};
    }
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    const bool late = !heard && heard.error().code == ErrorCode::kTimeout;
    if (heard && clock.now_ns() < deadline_ns) continue;
    if (!heard && !late) return heard;
    if (heard_ns_ == 0)
      return fail(ErrorCode::kTimeout,
                  "nothing answers at {}: no byte came; check power, cable and address",
                  link_->url());
    return fail(ErrorCode::kTimeout,
                "{}: no whole packet within {} ms; is it a PapillArray's controller?", link_->url(),
                kFirst.count());
  }
}

Result<void> PapillArray::start() {
  // What came since the last read is old, and would be taken for what comes now.
  for (int chunk = 0; chunk < kMostChunks; ++chunk)
    if (const auto old = link_->receive(buffer_, Timeout{0}); !old) {
      if (old.error().code != ErrorCode::kTimeout) return fail(old.error());
      break;
    }
  finder_.forget();
  last_number_.reset();
  if (options_.rate_hz == 0 || !options_.change_settings) return {};
  return link_->send(view_of(papillarray_rate_command(options_.rate_hz)), kSend);
}

Result<void> PapillArray::listen(Timeout timeout) {
  const auto got = link_->receive(buffer_, timeout);
  if (!got) return fail(got.error());
  heard_ns_ = got->host_time_ns;
  finder_.add(ByteView(buffer_).first(got->size));
  return {};
}

void PapillArray::take(const PapillArrayPacket& packet, std::vector<TactileFrame>& into) {
  const auto array = static_cast<std::size_t>(options_.array);
  if (array >= packet.sensors.size() || packet.sensors[array].size() * kChannels != shape_.size()) {
    ++undecodable_;
    return;
  }
  TactileFrame frame;
  frame.host_time_ns = heard_ns_;
  frame.tick = static_cast<std::int64_t>(packet.time_us);
  frame.sequence = numbers_.next(packet.number);
  const auto step = last_number_ ? *frame.sequence - *last_number_ : 1;
  if (step == 0) {
    ++counters_.duplicates;
    return;
  }
  if (step < 0) ++counters_.restarts;
  if (step > 1) counters_.lost += step - 1;
  last_number_ = frame.sequence;
  for (const auto& pillar : packet.sensors[array])
    for (const float number : options_.displacements ? pillar.displacement_mm : pillar.force_N)
      frame.counts.push_back(number);
  ++counters_.received;
  into.push_back(std::move(frame));
}

Result<void> PapillArray::read(std::vector<TactileFrame>& into, Timeout timeout) {
  const auto before = into.size();
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  while (true) {
    while (const auto content = finder_.next())
      if (const auto packet = decode_papillarray(*content))
        take(*packet, into);
      else
        ++undecodable_;
    counters_.malformed = finder_.malformed() + undecodable_;
    if (into.size() > before) return {};
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    if (heard) continue;
    if (heard.error().code != ErrorCode::kTimeout) return heard;
    ++counters_.timeouts;
    return fail(ErrorCode::kTimeout, "{}: no packet within {} ms", link_->url(), timeout.count());
  }
}

}  // namespace tactelier::devices

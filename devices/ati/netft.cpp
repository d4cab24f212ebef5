#include "devices/ati/netft.hpp"

#include <algorithm>

#include "devices/ati/netft_command.hpp"
#include "devices/link/http_get.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kAnswer{2000};
constexpr Timeout kSettled{200};  // between requests to the box's web server
constexpr Timeout kFirstRecord{100};
constexpr Timeout kSend{100};
constexpr Timeout kQuiet{20};
constexpr Timeout kTakesSpeed{5};  // as the maker's example waits
constexpr Timeout kDrain{200};
constexpr int kStartAttempts = 10;
constexpr int kMaxMalformed = 10;
constexpr double kDefaultRate_hz = 7000;  // as delivered
constexpr std::size_t kBuffer = 2048;     // 40 records are 1440 bytes

Timeout answer_timeout(const NetFtOptions& options) {
  return Timeout(
      static_cast<std::int64_t>(static_cast<double>(kAnswer.count()) * options.timeout_scale));
}

Result<NetFtConfig> read_page(const NetFtOptions& options, const Connector& connect) {
  return http_get(connect, options.http, "/netftapi2.xml", answer_timeout(options))
      .and_then([](const std::string& page) { return parse_netft_config(page); });
}

/// Who tells the counts.
Result<void> check_stated(const NetFtOptions& options) {
  const bool asked = !options.http.empty() || !options.command.empty();
  if (options.counts_per_N.has_value() != options.counts_per_Nm.has_value())
    return fail(ErrorCode::kUsage, "{}: counts_per_N and counts_per_Nm belong together",
                options.url);
  if (options.counts_per_N && asked)
    return fail(ErrorCode::kUsage,
                "{}: counts_per_N is stated, and {} would tell it, too: leave one of them out",
                options.url, options.http.empty() ? "command" : "http");
  if (!options.counts_per_N && !asked)
    return fail(ErrorCode::kUsage,
                "{}: http or command is needed, or counts_per_N and counts_per_Nm: who tells the "
                "box's counts?",
                options.url);
  if (options.period_ms && !options.counts_per_N)
    return fail(ErrorCode::kUsage,
                "{}: period_ms is for boxes with stated counts (OnRobot HEX); a Net F/T takes "
                "rate_hz",
                options.url);
  if (options.period_ms && options.rate_hz)
    return fail(ErrorCode::kUsage,
                "{}: period_ms {} is {:.6g} records/s already: leave rate_hz out", options.url,
                *options.period_ms, 1e3 / *options.period_ms);
  return {};
}

Result<void> check_options(const NetFtOptions& options) {
  if (options.rate_hz && (*options.rate_hz < 1 || *options.rate_hz > 7000))
    return fail(ErrorCode::kUsage, "rate_hz {}: the Net F/T sends 1 to 7000 records/s",
                *options.rate_hz);
  if (auto stated = check_stated(options); !stated) return stated;
  const auto& range = options.full_scale_SI;
  const bool known = std::all_of(range.begin(), range.end(), [](double SI) { return SI > 0; });
  if (options.counts_per_N && !known)
    return fail(ErrorCode::kUsage,
                "{}: counts_per_N does not tell the sensor's range: give six numbers above 0 as "
                "full_scale_N_Nm",
                options.url);
  if (!options.command.empty() && !known)
    return fail(ErrorCode::kUsage,
                "{}: the command interface does not tell the transducer's range: give six numbers "
                "above 0 as full_scale_N_Nm",
                options.command);
  return {};
}

Result<NetFtConfig> ask_calibration(const NetFtOptions& options, const Connector& connect) {
  const auto timeout = answer_timeout(options);
  const auto named = [&](const Error& error) { return fail(error, options.command); };
  const auto reply = ask_netft(connect, options.command, encode_read_calibration(),
                               kNetFtCalibrationSize, timeout);
  if (!reply) return fail(reply.error());
  const auto scale = decode_calibration(*reply).and_then(rdt_scale);
  if (!scale) return named(scale.error());
  if (options.write_settings) {
    const auto set = ask_netft(connect, options.command, encode(NetFtTransform{}).value(),
                               kNetFtAcknowledgeSize, timeout);
    if (!set) return fail(set.error());
    const auto taken = check_acknowledge(*set, NetFtCommand::kWriteTransform);
    if (!taken) return named(taken.error());
  }
  NetFtConfig config;
  config.scale = *scale;
  config.scale.full_scale_SI = options.full_scale_SI;
  config.rdt_rate_hz = options.rate_hz;
  return config;
}

NetFtConfig stated_config(const NetFtOptions& options) {
  NetFtConfig config;
  for (std::size_t axis = 0; axis < 6; ++axis)
    config.scale.SI_per_count[axis] =
        1 / (axis < 3 ? *options.counts_per_N : *options.counts_per_Nm);
  config.scale.full_scale_SI = options.full_scale_SI;
  config.rdt_rate_hz = options.rate_hz;
  return config;
}

/// By its web page where that answers, else by its command interface.
Result<NetFtConfig> read_config(const NetFtOptions& options, const Connector& connect) {
  if (options.counts_per_N) return stated_config(options);
  if (options.http.empty()) return ask_calibration(options, connect);
  auto page = read_page(options, connect);
  if (page) return page;
  const bool silent =
      page.error().code == ErrorCode::kIo || page.error().code == ErrorCode::kTimeout;
  if (silent && !options.command.empty()) return ask_calibration(options, connect);
  if (page.error().code == ErrorCode::kUsage) return page;
  return fail(page.error().code,
              "{}; it tells the box's counts: where a box has no such page (OnRobot HEX), state "
              "counts_per_N and counts_per_Nm in place of http",
              page.error().message);
}

Result<NetFtConfig> set_rate(const NetFtOptions& options, const Connector& connect,
                             HostClock& clock) {
  const auto path = fmt::format("/comm.cgi?comrdtrate={}", *options.rate_hz);
  if (auto set = http_get(connect, options.http, path, answer_timeout(options)); !set)
    return fail(set.error());
  clock.wait_until(clock.now_ns() + to_ns(kSettled));
  auto now = read_page(options, connect);
  if (now && now->rdt_rate_hz.value_or(0) < *options.rate_hz)
    return fail(ErrorCode::kDeviceFault,
                "{}: the box did not take {} records/s, it is set to {}; set it on its "
                "Communications page",
                options.http, *options.rate_hz, now->rdt_rate_hz.value_or(0));
  return now;
}

}  // namespace

NetFt::NetFt(NetFtConfig config, std::unique_ptr<Link> link, const NetFtOptions& options)
    : config_(std::move(config)),
      link_(std::move(link)),
      rate_hz_(options.period_ms ? 1e3 / *options.period_ms
                                 : config_.rdt_rate_hz.value_or(kDefaultRate_hz)),
      stated_(options.counts_per_N.has_value()),
      period_ms_(options.write_settings ? options.period_ms : std::nullopt),
      buffer_(kBuffer) {}

Result<std::unique_ptr<NetFt>> NetFt::open(const NetFtOptions& options, const Connector& connect) {
  if (auto sound = check_options(options); !sound) return fail(sound.error());
  auto link = connect(options.url, kAnswer);
  if (!link) return fail(link.error());
  auto config = read_config(options, connect);
  if (config && options.write_settings && options.rate_hz &&
      config->rdt_rate_hz != options.rate_hz) {
    auto& clock = (*link)->clock();
    clock.wait_until(clock.now_ns() + to_ns(kSettled));
    config = set_rate(options, connect, clock);
  }
  if (!config) return fail(config.error());
  if (!config->rdt_enabled)
    return fail(ErrorCode::kDeviceFault,
                "{}: RDT is switched off; enable it on the box's Communications page",
                options.http);
  if (config->tool_transform && options.write_settings)
    return fail(ErrorCode::kDeviceFault,
                "{}: the box moves the wrench itself (cfgtfx is not 0), so ranges and limits would "
                "be about another point than the sensor's; set the tool transform to zero on its "
                "Configurations page, the tip is the rig file's",
                options.http);
  return std::unique_ptr<NetFt>(new NetFt(std::move(*config), std::move(*link), options));
}

Result<void> NetFt::request(RdtCommand command, std::uint32_t count) {
  return link_->send(encode(RdtRequest{command, count}), kSend);
}

/// The speed each time: nobody acknowledges it.
Result<void> NetFt::request_start() {
  if (period_ms_) {
    const auto period_ms = static_cast<std::uint32_t>(*period_ms_);
    if (auto sent = request(RdtCommand::kSetSpeed, period_ms); !sent) return sent;
    link_->clock().wait_until(link_->clock().now_ns() + to_ns(kTakesSpeed));
  }
  return request(config_.records_per_datagram > 1 ? RdtCommand::kStartBuffered
                                                  : RdtCommand::kStart);
}

Result<void> NetFt::start() {
  if (auto stopped = request(RdtCommand::kStop); !stopped) return stopped;
  if (auto quiet = discard_input(*link_, kQuiet, kDrain); !quiet) return quiet;
  sequence_.expect_start();
  malformed_in_a_row_ = 0;
  early_.clear();
  for (int attempt = 0; attempt < kStartAttempts; ++attempt) {
    if (auto sent = request_start(); !sent) return sent;
    std::vector<ForceSample> first;
    const auto got = read(first, kFirstRecord);
    early_ = std::move(first);
    if (got) return {};
    if (got.error().code != ErrorCode::kTimeout) return got;
  }
  if (counters_.received > 0)
    return fail(ErrorCode::kTimeout,
                "{}: it has streamed and is silent: no record after {} start requests; was it "
                "switched off or unplugged?",
                link_->url(), kStartAttempts);
  return fail(ErrorCode::kTimeout,
              "nothing answers at {}: no record after {} start requests; check power, cable and "
              "address, and whether a firewall lets UDP through",
              link_->url(), kStartAttempts);
}

Result<void> NetFt::read(std::vector<ForceSample>& into, Timeout timeout) {
  if (!early_.empty()) {
    into.insert(into.end(), early_.begin(), early_.end());
    early_.clear();
    return {};
  }
  const auto before = into.size();
  const auto deadline_ns = link_->clock().now_ns() + to_ns(timeout);
  while (into.size() == before) {
    const auto got = link_->receive(buffer_, time_left(deadline_ns, link_->clock().now_ns()));
    if (!got && got.error().code == ErrorCode::kProtocol) {
      if (auto bearable = malformed(got.error().message); !bearable) return bearable;
      continue;
    }
    if (!got && got.error().code == ErrorCode::kTimeout) {
      ++counters_.timeouts;
      return fail(ErrorCode::kTimeout,
                  "{}: no record for {} ms; another program may have taken the stream",
                  link_->url(), timeout.count());
    }
    if (!got) return fail(got.error());
    if (auto taken = take(ByteView(buffer_).first(got->size), *got, into); !taken) return taken;
  }
  return {};
}

Result<void> NetFt::malformed(const std::string& why) {
  ++counters_.malformed;
  if (++malformed_in_a_row_ < kMaxMalformed) return {};
  return fail(ErrorCode::kProtocol, "{}: {} datagrams in a row make no sense, the last: {}",
              link_->url(), kMaxMalformed, why);
}

Result<void> NetFt::take(ByteView datagram, const Received& received,
                         std::vector<ForceSample>& into) {
  const auto records = decode_rdt_records(datagram);
  if (!records) return malformed(records.error().message);
  const auto count = static_cast<std::int64_t>(records->size());
  counters_.lost_in_host += static_cast<std::uint32_t>(received.dropped - dropped_) * count;
  dropped_ = received.dropped;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto older_s = static_cast<double>(count - 1 - i) / rate_hz_;
    const auto stamp_ns = received.host_time_ns - static_cast<std::int64_t>(older_s * 1e9);
    if (auto taken = take((*records)[static_cast<std::size_t>(i)], stamp_ns, into); !taken)
      return taken;
  }
  return {};
}

Result<void> NetFt::take(const RdtRecord& record, std::int64_t host_time_ns,
                         std::vector<ForceSample>& into) {
  const auto verdict = sequence_.next(record);
  if (verdict.step == RdtStep::kDuplicate) return ++counters_.duplicates, Result<void>{};
  if (verdict.step == RdtStep::kOld) return ++counters_.out_of_order, Result<void>{};
  if (verdict.step == RdtStep::kInconsistent)
    return malformed("its record number and its sample counter contradict each other");
  if (verdict.step == RdtStep::kStalled)
    return fail(ErrorCode::kDeviceFault,
                "{}: the box still sends but measures no more (its sample counter stands at {}): "
                "switch it off and on",
                link_->url(), record.ft_sequence);
  malformed_in_a_row_ = 0;
  if (verdict.step == RdtStep::kRestarted) ++counters_.restarts;
  counters_.lost += verdict.lost;
  ++counters_.received;
  into.push_back({host_time_ns, verdict.record, verdict.tick, record.counts, record.status,
                  stated_ ? record.status == 0 : rdt_wrench_is_valid(record.status)});
  return {};
}

Result<void> NetFt::stop() {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (auto sent = request(RdtCommand::kStop); !sent) return sent;
    if (auto quiet = discard_input(*link_, kFirstRecord, kFirstRecord); !quiet) return quiet;
  }
  return {};
}

std::string NetFt::describe_status(std::uint32_t status) const {
  if (!stated_) return describe_rdt_status(status);
  return status == 0 ? "" : fmt::format("the box's status is 0x{:08X}: see its manual", status);
}

}  // namespace tactelier::devices

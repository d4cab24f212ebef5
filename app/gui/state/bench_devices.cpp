#include "app/gui/state/bench_devices.hpp"

#include <QFileInfo>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_health.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/words.hpp"
#include "devices/emulator/fault.hpp"
#include "devices/link/link.hpp"
#include "devices/server/rig_socket.hpp"
#include "libcalib/protocol/plan.hpp"

namespace tactelier::gui {
namespace {

constexpr int kLook_ms = 200;

Lamp lampOf(HealthState state) {
  switch (state) {
    case HealthState::kConnecting:
      return Lamp::kOff;
    case HealthState::kGood:
      return Lamp::kGood;
    case HealthState::kLook:
      return Lamp::kLook;
    case HealthState::kBad:
      return Lamp::kBad;
  }
  return Lamp::kOff;
}

}  // namespace

struct BenchDevices::Connected {
  std::shared_ptr<const devices::DeviceFile> file;
  std::shared_ptr<DeviceMonitor> monitor;
};

BenchDevices::BenchDevices(AppState& state, RigLink& rig, QObject* parent)
    : QObject(parent), jobs_(state.jobs()), notifications_(state.notifications()), rig_link_(rig) {
  timer_.setInterval(kLook_ms);
  connect(&timer_, &QTimer::timeout, this, &BenchDevices::look);
  rig.setGiveWay([this] { return giveWay(); });
  connect(&rig, &RigLink::linkChanged, this, &BenchDevices::followRig);
}

BenchDevices::~BenchDevices() { drop(giveWay()); }

void BenchDevices::run(const QString& name, std::function<Result<Connected>()> connect) {
  auto id = std::make_shared<int>(0);
  *id = jobs_.run<Connected>(
      name, Lane::kWork, this, [connect](const Job&) { return connect(); },
      [this, id](Result<Connected> connected) {
        const bool wanted = job_ == *id;  // nobody disconnected or chose another meanwhile
        if (!wanted && connected) return drop(connected->monitor);
        if (!wanted) return;
        job_ = 0;
        if (connected) return take(std::move(*connected));
        refused(connected.error());
      });
  job_ = *id;
  emit changed();
}

void BenchDevices::startVirtualBench() {
  file_.clear();
  rig_link_.connectVirtual(virtual_speed_);
}

void BenchDevices::setVirtualSpeed(double speed) {
  virtual_speed_ = speed;
  emit changed();
}

double BenchDevices::runningSpeed() const { return rig_link_.facts().time_scale; }

void BenchDevices::orderBench(const std::string& line, const QString& done) {
  if (!isVirtual()) return;
  jobs_.run<int>(
      tr("Virtual bench"), Lane::kQuiet, this,
      [url = control().toStdString(), line](const Job&) -> Result<int> {
        auto hands = devices::open_link(url);
        if (!hands) return fail(hands.error());
        if (auto sent = (*hands)->send(devices::view_of(line + '\n'), devices::Timeout(1000));
            !sent)
          return fail(sent.error());
        std::array<std::uint8_t, 4096> answer{};
        const auto got = (*hands)->receive(answer, devices::Timeout(2000));
        if (!got) return fail(got.error());
        const auto reply =
            nlohmann::json::parse(answer.begin(), answer.begin() + got->size, nullptr, false);
        if (reply.is_object() && reply.contains("error"))
          return fail(ErrorCode::kUsage, "{}", reply["error"].get<std::string>());
        return 0;
      },
      [this, done](const Result<int>& result) {
        notifications_.status(result ? done
                                     : tr("The virtual bench refused: %1. Nothing was changed.")
                                           .arg(text(result.error().message)));
      });
}

void BenchDevices::makeFault(const FaultWish& wish) {
  const auto kind = devices::parse_fault_kind(wish.kind.toStdString());
  if (!kind) return;
  const auto& info = devices::info_of(*kind);
  nlohmann::json fault = {{"device", wish.device.toStdString()}, {"kind", info.word}};
  if (info.counts)
    fault["count"] = static_cast<int>(wish.amount);
  else
    fault["for_s"] = wish.amount;
  orderBench(nlohmann::json{{"fault", fault}}.dump(),
             tr("Virtual bench, %1: %2. End all faults mends it.")
                 .arg(wish.device_words, text(info.what)));
}

void BenchDevices::mendFaults() {
  orderBench(R"({"do": "mend"})", tr("Virtual bench: its devices work again."));
}

void BenchDevices::openFile(const QString& path) {
  if (rig_link_.owns())
    return notifications_.notify(
        Message::Level::kLook, tr("The rig process has the devices."),
        tr("Nothing was opened beside it."),
        tr("Disconnect from the rig on the Session page, then connect here."));
  disconnectAll();
  file_ = path;
  run(tr("Connect by %1").arg(QFileInfo(path).fileName()),
      [name = path.toStdString()]() -> Result<Connected> {
        auto file = devices::load_device_file(name);
        if (!file) return fail(file.error());
        if (rig::connect_socket(rig::socket_of(*file)))
          return fail(ErrorCode::kUsage,
                      "{}: a rig process has these devices; a second reader would take their "
                      "streams away. Connect to it on the Session page.",
                      name);
        auto described = std::make_shared<const devices::DeviceFile>(*file);
        return Connected{described, std::make_shared<DeviceMonitor>(std::move(*file))};
      });
}

void BenchDevices::openRig(const QString& path) {
  using Loaded = std::shared_ptr<const RigFile>;
  jobs_.run<Loaded>(
      tr("Read %1").arg(QFileInfo(path).fileName()), Lane::kQuiet, this,
      [name = path.toStdString()](const Job&) -> Result<Loaded> {
        return load_rig(name).map(
            [](RigFile rig) { return std::make_shared<const RigFile>(std::move(rig)); });
      },
      [this, path](Result<Loaded> rig) {
        if (!rig)
          return notifications_.notify(Message::Level::kBad, text(rig.error().message),
                                       tr("The rig file was not taken."),
                                       tr("Mend it, then choose it again."));
        rig_ = std::move(*rig);
        rig_file_ = path;
        emit rigChanged();
      });
}

bool BenchDevices::connected() const { return monitor_ != nullptr || rig_link_.connected(); }

bool BenchDevices::busy() const { return job_ != 0 || rig_link_.busy(); }

bool BenchDevices::isVirtual() const {
  return rig_link_.connected() && !rig_link_.benchControl().isEmpty();
}

const RigFile* BenchDevices::rig() const {
  return rig_link_.connected() ? &rig_link_.facts().rig : rig_.get();
}

const devices::DeviceFile* BenchDevices::described() const {
  return rig_link_.connected() ? &rig_link_.facts().devices : described_.get();
}

std::vector<rig::LimitRow> BenchDevices::limits() const {
  if (rig() == nullptr) return {};
  const devices::DeviceFile nothing;
  const auto& devices = described() != nullptr ? *described() : nothing;
  return rig_limits(*rig(), devices, devices.sensor.value_or(SensorDescription{}),
                    bench_setup().expected.punch_stiffness_N_per_m.high, kPress_m_per_s);
}

void BenchDevices::take(Connected connected) {
  described_ = std::move(connected.file);
  monitor_ = std::move(connected.monitor);
  timer_.start();
  emit rigChanged();
  look();
}

void BenchDevices::refused(const Error& error) {
  notifications_.notify(
      Message::Level::kBad, text(error.message), tr("Nothing was opened."),
      file_.isEmpty() ? tr("Try again.") : tr("Mend the device file, then open it again."));
  file_.clear();
  emit changed();
}

std::shared_ptr<void> BenchDevices::giveWay() {
  if (job_ != 0) jobs_.cancel(std::exchange(job_, 0));
  timer_.stop();
  health_.clear();
  described_.reset();
  file_.clear();
  return std::exchange(monitor_, nullptr);
}

void BenchDevices::drop(std::shared_ptr<void> held) {
  if (held == nullptr) return;
  auto last = std::make_shared<std::shared_ptr<void>>(std::move(held));
  jobs_.run<int>(
      tr("Disconnect"), Lane::kQuiet, &jobs_,
      [last](const Job&) -> Result<int> {
        last->reset();
        return 0;
      },
      [](const Result<int>&) {});
}

void BenchDevices::disconnectAll() {
  if (rig_link_.connected()) return rig_link_.disconnectRig();
  drop(giveWay());
  emit rigChanged();
  emit changed();
}

/// A rig came or went.
void BenchDevices::followRig() {
  const auto& rig = rig_link_;
  health_.clear();
  if (rig.connected() || monitor_ != nullptr)
    timer_.start();
  else
    timer_.stop();
  emit rigChanged();
  look();
}

void BenchDevices::look() {
  if (rig_link_.connected())
    health_ = rigHealth(rig_link_);
  else if (monitor_ != nullptr)
    health_ = monitor_->health();
  emit changed();
}

QString BenchDevices::control() const { return rig_link_.benchControl(); }

const DeviceHealth* BenchDevices::health(std::string_view role) const {
  const auto found = std::find_if(health_.begin(), health_.end(),
                                  [&](const DeviceHealth& one) { return one.role == role; });
  return found != health_.end() ? &*found : nullptr;
}

std::optional<double> BenchDevices::age_s(const DeviceHealth& health) const {
  if (!health.sample_ns) return std::nullopt;
  const auto& rig = rig_link_;
  if (rig.connected())
    return health.role == "force"     ? rig.feed().forceAge_s()
           : health.role == "tactile" ? rig.feed().frameAge_s()
                                      : rig.feed().stageAge_s();
  if (monitor_ == nullptr) return std::nullopt;
  return std::max(0.0, static_cast<double>(monitor_->now_ns() - *health.sample_ns) * 1e-9);
}

StreamState BenchDevices::stream(std::string_view role) const {
  const auto* one = health(role);
  if (one == nullptr) return {};
  StreamState state;
  state.lamp = lampOf(one->state);
  if (one->state == HealthState::kConnecting) {
    state.line = tr("connecting");
    return state;
  }
  const auto age = age_s(*one);
  state.line = one->state == HealthState::kBad || !age
                   ? tr("no data")
                   : tr("%1 /s · age %2 ms").arg(fixed(one->rate_hz, 0), fixed(*age * 1e3, 0));
  state.detail = tr("gaps %1").arg(one->counters.lost);
  if (one->position_trusted)
    state.detail = *one->position_trusted ? tr("position trusted") : tr("position void");
  return state;
}

RigSnapshot BenchDevices::snapshot() const {
  RigSnapshot rig;
  if (monitor_ == nullptr) return rig;
  rig.detail = tr("Devices looked at · no rig");
  rig.streams = {stream("force"), stream("tactile"), stream("stage")};
  const auto* force = health("force");
  if (force != nullptr && force->state != HealthState::kBad) rig.force_N = force->force_N;
  return rig;
}

}  // namespace tactelier::gui

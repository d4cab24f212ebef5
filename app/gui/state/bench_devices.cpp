#include "app/gui/state/bench_devices.hpp"

#include <QFileInfo>
#include <algorithm>

#include "app/gui/text/words.hpp"

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
  std::shared_ptr<StartedBench> bench;
  std::shared_ptr<DeviceMonitor> monitor;
};

BenchDevices::BenchDevices(AppState& state, QObject* parent)
    : QObject(parent), state_(state), bench_rig_(virtual_bench_rig()) {
  timer_.setInterval(kLook_ms);
  connect(&timer_, &QTimer::timeout, this, &BenchDevices::look);
}

BenchDevices::~BenchDevices() { drop({{}, std::move(bench_), std::move(monitor_)}); }

void BenchDevices::run(const QString& name, std::function<Result<Connected>()> connect) {
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<Connected>(
      name, Lane::kWork, this, [connect](const Job&) { return connect(); },
      [this, id](Result<Connected> connected) {
        const bool wanted = job_ == *id;  // nobody disconnected or chose another meanwhile
        if (!wanted && connected) return drop(std::move(*connected));
        if (!wanted) return;
        job_ = 0;
        if (connected) return take(std::move(*connected));
        refused(connected.error());
      });
  job_ = *id;
  emit changed();
}

void BenchDevices::startVirtualBench() {
  disconnectAll();
  file_.clear();
  run(tr("Start the virtual bench"), []() -> Result<Connected> {
    auto started = start_bench({});
    if (!started) return fail(started.error());
    auto bench = std::make_shared<StartedBench>(std::move(*started));
    auto file = devices::parse_device_file(bench->device_file, "virtual bench");
    if (!file) return fail(file.error());
    auto described = std::make_shared<const devices::DeviceFile>(*file);
    return Connected{described, bench, std::make_shared<DeviceMonitor>(std::move(*file))};
  });
}

void BenchDevices::openFile(const QString& path) {
  disconnectAll();
  file_ = path;
  run(tr("Connect by %1").arg(QFileInfo(path).fileName()),
      [name = path.toStdString()]() -> Result<Connected> {
        auto file = devices::load_device_file(name);
        if (!file) return fail(file.error());
        auto described = std::make_shared<const devices::DeviceFile>(*file);
        return Connected{described, nullptr, std::make_shared<DeviceMonitor>(std::move(*file))};
      });
}

void BenchDevices::openRig(const QString& path) {
  using Loaded = std::shared_ptr<const RigFile>;
  state_.jobs().run<Loaded>(
      tr("Read %1").arg(QFileInfo(path).fileName()), Lane::kQuiet, this,
      [name = path.toStdString()](const Job&) -> Result<Loaded> {
        return load_rig(name).map(
            [](RigFile rig) { return std::make_shared<const RigFile>(std::move(rig)); });
      },
      [this, path](Result<Loaded> rig) {
        if (!rig)
          return state_.tell(Message::Level::kBad, text(rig.error().message),
                             tr("The rig file was not taken."),
                             tr("Mend it, then choose it again."));
        rig_ = std::move(*rig);
        rig_file_ = path;
        emit rigChanged();
      });
}

std::vector<rig::LimitRow> BenchDevices::limits() const {
  if (rig() == nullptr) return {};
  const devices::DeviceFile nothing;
  const auto& devices = described_ != nullptr ? *described_ : nothing;
  return rig_limits(*rig(), devices, devices.sensor.value_or(SensorDescription{}),
                    bench_setup().expected.punch_stiffness_N_per_m.high, kPress_m_s);
}

void BenchDevices::take(Connected connected) {
  described_ = std::move(connected.file);
  bench_ = std::move(connected.bench);
  monitor_ = std::move(connected.monitor);
  timer_.start();
  emit rigChanged();
  look();
}

void BenchDevices::refused(const Error& error) {
  state_.tell(Message::Level::kBad, text(error.message), tr("Nothing was opened."),
              file_.isEmpty() ? tr("Try again.") : tr("Mend the device file, then open it again."));
  file_.clear();
  emit changed();
}

void BenchDevices::drop(Connected connected) {
  if (connected.monitor == nullptr) return;
  auto held = std::make_shared<Connected>(std::move(connected));
  state_.jobs().run<int>(
      tr("Disconnect"), Lane::kQuiet, &state_,
      [held](const Job&) -> Result<int> {
        held->monitor.reset();
        held->bench.reset();
        return 0;
      },
      [](const Result<int>&) {});
}

void BenchDevices::disconnectAll() {
  if (job_ != 0) state_.jobs().cancel(std::exchange(job_, 0));
  timer_.stop();
  health_.clear();
  described_.reset();
  drop({{}, std::exchange(bench_, nullptr), std::exchange(monitor_, nullptr)});
  emit state_.rigChanged({});
  emit rigChanged();
  emit changed();
}

void BenchDevices::look() {
  health_ = monitor_->health();
  emit state_.rigChanged(snapshot());
  emit changed();
}

QString BenchDevices::control() const {
  return bench_ != nullptr ? text(bench_->bench->endpoints().control) : QString();
}

const DeviceHealth* BenchDevices::health(std::string_view role) const {
  const auto found = std::find_if(health_.begin(), health_.end(),
                                  [&](const DeviceHealth& one) { return one.role == role; });
  return found != health_.end() ? &*found : nullptr;
}

std::optional<double> BenchDevices::age_s(const DeviceHealth& health) const {
  if (!health.sample_ns || monitor_ == nullptr) return std::nullopt;
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
  rig.detail =
      isVirtual() ? tr("Virtual bench, nothing armed") : tr("Devices connected, nothing armed");
  rig.streams = {stream("force"), stream("tactile"), stream("stage")};
  const auto* force = health("force");
  if (force != nullptr && force->state != HealthState::kBad) rig.force_N = force->force_N;
  return rig;
}

}  // namespace tactelier::gui

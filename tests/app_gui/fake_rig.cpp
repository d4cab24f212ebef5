#include "tests/app_gui/fake_rig.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <QFile>
#include <algorithm>
#include <array>

#include "devices/server/rig_socket.hpp"

namespace tactelier::gui::test {
namespace {

namespace messages = rig::messages;
using nlohmann::json;

// Nothing listens behind these; the fake rig stands in for whoever would open them.
constexpr const char* kDevices = R"({
  "format": "tactelier/devices", "version": 1,
  "stage": {"driver": "grbl", "url": "serial:/dev/nothing"},
  "force": {"driver": "net-ft", "url": "udp:127.0.0.1:49152", "rate_hz": 1000},
  "tactile": {"driver": "weiss-wts", "url": "serial:/dev/nothing2", "sensor": SENSOR}})";

messages::Status quiet() {
  messages::Status status;
  status.tared = true;
  status.position_m = {0, 0, 2e-3};
  status.stage = messages::StageActivity::kIdle;
  status.latency_s = 0.4e-3;
  status.emergency_stop = true;
  return status;
}

void write(const std::filesystem::path& path, const std::string& text) {
  QFile file(QString::fromStdString(path.string()));
  if (!file.open(QIODevice::WriteOnly)) qFatal("%s", path.c_str());
  file.write(QByteArray::fromStdString(text));
}

}  // namespace

FakeRig::FakeRig(const std::string& sensor) : status(quiet()) {
  auto devices = std::string(kDevices);
  devices.replace(devices.find("SENSOR"), 6, sensor);
  const std::filesystem::path folder = folder_.path().toStdString();
  socket_ = folder / "rig.sock";
  place_ = {folder / "devices.json", folder / "rig.json"};
  write(place_.devices, devices);
  write(place_.rig, virtual_bench_rig().document);
  auto listening = rig::listen_socket(socket_);
  if (!listening) qFatal("%s", listening.error().message.c_str());
  listening_ = std::move(*listening);
  notifier_ = std::make_unique<QSocketNotifier>(listening_.get(), QSocketNotifier::Read);
  QObject::connect(notifier_.get(), &QSocketNotifier::activated, this, &FakeRig::accept);
}

FakeRig::~FakeRig() = default;

RigConnection FakeRig::connect() {
  auto facts = rigFacts(place_);
  if (!facts) qFatal("%s", facts.error().message.c_str());
  facts->limits.pad_force_N = 5;
  tactels_ = static_cast<std::size_t>(facts->sensor.tactels());
  channels_ = static_cast<std::size_t>(facts->sensor.channels);
  auto connection = connectSockets(socket_, std::move(*facts));
  if (!connection) qFatal("%s", connection.error().message.c_str());
  return std::move(*connection);
}

void FakeRig::accept() {
  while (true) {
    devices::Descriptor socket(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.valid()) return;
    auto& client = *clients_.emplace_back(std::make_unique<Client>());
    client.socket = std::move(socket);
    client.notifier = std::make_unique<QSocketNotifier>(client.socket.get(), QSocketNotifier::Read);
    QObject::connect(client.notifier.get(), &QSocketNotifier::activated, this,
                     [this, &client] { read(client); });
  }
}

void FakeRig::read(Client& client) {
  std::array<char, 65536> bytes{};
  const auto size = ::recv(client.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (size <= 0) return client.notifier->setEnabled(false);
  client.pending.append(bytes.data(), static_cast<std::size_t>(size));
  for (auto end = client.pending.find('\n'); end != std::string::npos;
       end = client.pending.find('\n')) {
    const auto request = json::parse(client.pending.substr(0, end));
    client.pending.erase(0, end + 1);
    send(client, answer(client, request).dump() + "\n");
  }
}

json FakeRig::answer(Client& client, const json& request) {
  const auto what = messages::name_of(request);
  const auto ok = messages::ok_answer();
  if (what == "status") return messages::result_answer(to_json(status));
  if (what == "watch") {
    live_ = &client;
    return ok;
  }
  if (what == "ping") return ok;
  requests.push_back(request);
  if (what == "stop") status.trip = {rig::LimitKind::kStopButton, "somebody pressed it"};
  if (what == "acknowledge" && !acknowledge_error.empty())
    return messages::error_answer({ErrorCode::kDeviceFault, acknowledge_error});
  if (what == "acknowledge") status.trip.reset();
  if (what == "pause") status.paused = true;
  if (what == "resume") status.paused = false;
  if (what == "jog" && status.resting) return ok;
  const auto task = messages::task_kind(what);
  if (!task) return ok;
  client.task = ++tasks_;
  status.task = task;
  if (task == messages::TaskKind::kRecord)
    status.recording = messages::RunningRecording{messages::record_order_in(request).file};
  return messages::task_answer(client.task);
}

bool FakeRig::asked(const char* what) const {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const json& request) { return request["do"] == what; });
}

void FakeRig::setDeaf(bool deaf) { clients_.front()->notifier->setEnabled(!deaf); }

void FakeRig::setDeafToStop(bool deaf) { clients_.at(2)->notifier->setEnabled(!deaf); }

std::string FakeRig::unreadStop() const {
  std::array<char, 4096> bytes{};
  const auto size =
      ::recv(clients_.at(2)->socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_PEEK);
  std::string unread{bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(0, size))};
  constexpr std::string_view kSignOfLife = "{\"do\": \"ping\"}\n";
  for (auto at = unread.find(kSignOfLife); at != std::string::npos; at = unread.find(kSignOfLife))
    unread.erase(at, kSignOfLife.size());
  return unread;
}

void FakeRig::frame(double force_N, double z_m) {
  auto& frame = frame_;
  ++frame.number;
  frame.now_ns += 16'666'667;
  frame.force_ns = frame.frame_ns = frame.stage_ns = frame.now_ns;
  frame.force_N = frame.force_min_N = frame.force_max_N = force_N;
  frame.wrench_SI = {across_N[0], across_N[1], -force_N, 0, 0, 0};
  frame.position_m = {at_m[0], at_m[1], z_m};
  frame.counts.assign(tactels_ * channels_, 224);
  if (channels_ == 1) frame.counts[37] = static_cast<float>(224 + 1000 * force_N);
  for (std::size_t i = 0; noisy && i < frame.counts.size(); ++i)
    frame.counts[i] += static_cast<float>((i * 131 + frame.number * 977) % 600);
  for (std::size_t i = 0; channels_ == 3 && i < frame.counts.size(); ++i)
    if (i % 3 < 2) frame.counts[i] = 30000 + (i / 3 == 5 ? shear[i % 3] : 0);
  status.force_N = force_N;
  send(*live_, rig::bytes_of(frame));
}

void FakeRig::send(const Client& client, const std::string& bytes) {
  (void)::send(client.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void FakeRig::news(const messages::News& what) {
  send(*clients_.front(), to_json(what, clients_.front()->task).dump() + "\n");
}

void FakeRig::progress(const char* what, double done, double total, const char* detail,
                       const char* step, double left_s) {
  news(messages::Progress{what, detail, done, total, step,
                          left_s < 0 ? std::nullopt : std::optional(left_s)});
}

void FakeRig::press(int number, int tactel, messages::PressOutcome outcome) {
  news(messages::Press{number, tactel, outcome});
}

void FakeRig::question(const char* text, const char* answer_key) {
  news(messages::Question{text, answer_key});
}

void FakeRig::wanting(double end_s) { news(messages::Wanting{end_s}); }

void FakeRig::done(const json& result) {
  status.task.reset();
  status.paused = false;
  status.recording.reset();
  news(messages::End{{}, result, {}});
}

void FakeRig::failed(ErrorCode code, const char* text) {
  status.task.reset();
  status.recording.reset();
  news(messages::End{Error{code, text}, {}, {}});
}

void FakeRig::trip(const char* text, rig::LimitKind kind) { status.trip = {kind, text}; }

void FakeRig::die() {
  clients_.clear();
  live_ = nullptr;
}

}  // namespace tactelier::gui::test

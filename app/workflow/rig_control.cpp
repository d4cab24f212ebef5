#include "app/workflow/rig_control.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/workflow/rig_follow.hpp"
#include "devices/link/descriptor.hpp"
#include "devices/link/host_clock.hpp"
#include "devices/server/rig_socket.hpp"

namespace tactelier {
namespace {

using rig::RigClient;

constexpr std::int64_t kLook_ns = 20'000'000;
constexpr std::int64_t kStands_ns = 10'000'000'000;
constexpr std::int64_t kEnds_ns = 60'000'000'000;
constexpr int kEndLook_ms = 100;

/// Now; nothing is waited for.
Result<RigClient> stop(StoppedRig& stopped) {
  auto client = RigClient::connect(stopped.socket);
  if (!client) return client;
  const auto& clock = devices::steady_host_clock();
  const auto asked_ns = clock.now_ns();
  if (auto told = client->ask(rig::messages::request("stop")); !told) return fail(told.error());
  stopped.answer_s = static_cast<double>(clock.now_ns() - asked_ns) * 1e-9;
  return client;
}

/// What was under way goes up and ends its recording.
Result<void> wait_until_it_stands(RigClient& client, StoppedRig& stopped) {
  auto& clock = devices::steady_host_clock();
  const auto deadline_ns = clock.now_ns() + kStands_ns;
  do {
    auto status = client.status();
    if (!status) return fail(status.error());
    stopped.after = std::move(*status);
    if (stopped.stands()) return {};
    clock.wait_until(clock.now_ns() + kLook_ns);
  } while (clock.now_ns() < deadline_ns);
  return {};
}

Result<std::vector<std::filesystem::path>> sockets_of(
    const std::optional<std::filesystem::path>& device_file) {
  if (!device_file) return rig::known_sockets();
  const auto devices = devices::load_device_file(*device_file);
  if (!devices) return fail(devices.error());
  return std::vector{rig::socket_of(*devices)};
}

}  // namespace

bool StoppedRig::stands() const {
  using rig::messages::StageActivity;
  return after.trip && !after.task &&
         (after.stage == StageActivity::kIdle || after.stage == StageActivity::kHold ||
          after.stage == StageActivity::kAlarm);
}

Result<RigClient> chosen_rig(const RigChoice& choice, const Job& job) {
  if (choice.devices && choice.rig) return reach_rig({*choice.devices, *choice.rig}, job);
  auto running = running_rig(choice.devices);
  if (!running && running.error().code == ErrorCode::kIo)
    return fail(ErrorCode::kIo, "{}; with --devices and --rig one is started",
                running.error().message);
  return running;
}

Result<std::vector<StoppedRig>> stop_rigs(const std::optional<std::filesystem::path>& devices) {
  if (auto ours = rig::check_private(rig::runtime_folder()); !ours) return fail(ours.error());
  const auto sockets = sockets_of(devices);
  if (!sockets) return fail(sockets.error());
  std::vector<StoppedRig> rigs;
  std::vector<Result<RigClient>> clients;
  for (const auto& socket : *sockets) {
    if (!rig::connect_socket(socket)) continue;  // of a process that is gone
    rigs.emplace_back().socket = socket;
    clients.push_back(stop(rigs.back()));
  }
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    const auto seen = clients[i] ? wait_until_it_stands(*clients[i], rigs[i])
                                 : Result<void>(fail(clients[i].error()));
    if (!seen) rigs[i].error = seen.error();
  }
  return rigs;
}

Result<void> quit_rig(RigClient& client, const Job& job) {
  const auto status = client.status();
  if (!status) return fail(status.error());
  const auto process = client.process();
  // Known before it is told: afterwards the number may be another's.
  const devices::Descriptor ends(process ? static_cast<int>(::syscall(SYS_pidfd_open, *process, 0))
                                         : -1);
  if (auto told = client.ask(rig::messages::request("quit")); !told) return fail(told.error());
  if (!ends.valid()) return {};
  const auto& clock = devices::steady_host_clock();
  const auto deadline_ns = clock.now_ns() + kEnds_ns;
  pollfd ended{ends.get(), POLLIN, 0};
  while (::poll(&ended, 1, kEndLook_ms) != 1) {
    if (job.stopped()) return Job::cancelled();
    if (clock.now_ns() < deadline_ns) continue;
    return fail(
        ErrorCode::kTimeout,
        "the rig process (process {}) was told to end and is still there after a minute; at "
        "hand was {}. It ends when that is over; 'tactelier rig stop' ends it now",
        *process, status->task ? to_string(*status->task) : "nothing");
  }
  return {};
}

Result<rig::messages::Status> move_rig(RigClient& client, rig::messages::TaskKind kind,
                                       Warnings& warnings, const Job& job) {
  const auto ended =
      client.follow(rig::messages::task_request(kind, true), follow_of(job, {}), warnings);
  if (!ended) return fail(ended.error());
  return client.status();
}

Result<rig::messages::Status> jog_rig(RigClient& client, const rig::JogWay& way, Warnings& warnings,
                                      const Job& job) {
  auto status = client.status();
  if (!status) return status;
  if (!status->resting) {
    const auto ended = client.follow(rig::messages::jog_request(way), follow_of(job, {}), warnings);
    if (!ended) return fail(ended.error());
    return client.status();
  }
  if (auto wished = client.ask(rig::messages::jog_request(way)); !wished)
    return fail(wished.error());
  auto& clock = devices::steady_host_clock();
  for (bool halted = false;;) {
    if (job.stopped() && !halted) {
      halted = true;
      if (auto told = client.ask(rig::messages::request("halt")); !told) return fail(told.error());
    }
    status = client.status();
    if (!status) return status;
    if (!status->jogging && !status->jog_refused.empty())
      return fail(ErrorCode::kUsage, "{}", status->jog_refused);
    if (!status->jogging) return halted ? Result<rig::messages::Status>(Job::cancelled()) : status;
    clock.wait_until(clock.now_ns() + kLook_ns);
  }
}

}  // namespace tactelier

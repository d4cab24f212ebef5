#include "app/workflow/rig_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "app/workflow/command_line_program.hpp"
#include "app/workflow/rig_overview.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "devices/motion/time_left.hpp"
#include "devices/server/device_claim.hpp"
#include "devices/server/rig_server.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/rig_plausibility.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

extern char** environ;

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kIdleExit_s = 600;
constexpr std::int64_t kStart_ns = 20'000'000'000;
constexpr std::int64_t kLook_ns = 50'000'000;
constexpr std::size_t kMaxLog = 1U << 20U;
constexpr std::string_view kReady = "ready";  // what `rig serve` prints once it serves

Result<std::pair<devices::DeviceFile, RigFile>> load(const RigPlace& place) {
  auto devices = devices::load_device_file(place.devices);
  if (!devices) return fail(devices.error());
  auto rig = load_rig(place.rig.string());
  if (!rig) return fail(rig.error());
  return std::pair{std::move(*devices), std::move(*rig)};
}

class StartedProcess {
 public:
  static Result<StartedProcess> start(const RigPlace& place, const std::filesystem::path& chosen,
                                      const std::filesystem::path& log) {
    const std::vector<std::string> words{
        (chosen.empty() ? command_line_program() : chosen).string(),
        "rig",
        "serve",
        "--devices",
        std::filesystem::absolute(place.devices).string(),
        "--rig",
        std::filesystem::absolute(place.rig).string(),
        "--idle-exit",
        fmt::format("{}", kIdleExit_s),
        "--quiet"};
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A session of its own: Ctrl-C in the terminal is for the client, which ends the task in order.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    StartedProcess process;
    const int error =
        ::posix_spawn(&process.id_, arguments[0], &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
      return fail(ErrorCode::kIo, "{}: can't be started: {}", words[0],
                  devices::system_message(error));
    return process;
  }

  bool ended() const {
    int status = 0;
    return ::waitpid(id_, &status, WNOHANG) == id_;
  }

 private:
  pid_t id_ = 0;
};

std::string last_words(const std::filesystem::path& log) {
  auto text = read_text_file(log, kMaxLog).value_or("");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "it said nothing" : text;
}

}  // namespace

Result<void> check_place(const RigPlace& place) {
  if (auto loaded = load(place); !loaded) return fail(loaded.error());
  return {};
}

Result<void> serve_rig(const RigPlace& place, double idle_exit_s, const std::stop_token& stop,
                       const std::function<void(const std::filesystem::path&)>& ready) {
  auto loaded = load(place);
  if (!loaded) return fail(loaded.error());
  auto& [devices, rig] = *loaded;
  const rig::ServeOptions options{rig::socket_of(devices), idle_exit_s};
  auto listening = rig::claim(options);
  if (!listening) return fail(listening.error());
  const auto not_started = [&](const Error& error) {
    std::error_code ignored;
    std::filesystem::remove(options.socket, ignored);
    return fail(error);
  };
  const auto claim = rig::DeviceClaim::take(
      devices, {"the rig process", std::filesystem::absolute(place.devices), options.socket});
  if (!claim) return not_started(claim.error());
  auto service = rig::RigService::open(std::move(devices), std::move(rig), place.rig);
  if (!service) return not_started(service.error());
  ready(options.socket);
  return rig::serve(**service, std::move(*listening), options, stop);
}

Result<rig::RigClient> reach_rig(const RigPlace& place, const Job& job,
                                 const std::filesystem::path& program_file) {
  const auto loaded = load(place);
  if (!loaded) return fail(loaded.error());
  const auto socket = rig::socket_of(loaded->first);
  const auto answers = [&]() -> Result<rig::RigClient> {
    auto client = rig::RigClient::connect(socket);
    if (!client) return client;
    if (auto status = client->status(); !status) return fail(status.error());
    return client;
  };
  auto& clock = devices::steady_host_clock();
  const auto deadline_ns = clock.now_ns() + kStart_ns;
  // A process that is just ending takes a connection and hangs up.
  while (rig::connect_socket(socket)) {
    auto client = answers();
    if (client || client.error().code != ErrorCode::kIo || clock.now_ns() > deadline_ns)
      return client;
    if (job.stopped()) return Job::cancelled();
    clock.wait_until(clock.now_ns() + kLook_ns);
  }
  if (auto ours = rig::make_private(socket.parent_path()); !ours) return fail(ours.error());
  const auto log = socket.string() + ".log";
  const auto process = StartedProcess::start(place, program_file, log);
  if (!process) return fail(process.error());
  while (clock.now_ns() < deadline_ns) {
    if (job.stopped()) return Job::cancelled();
    if (process->ended()) {
      const auto words = last_words(log);
      if (words == kReady) return fail(rig::process_has_ended());
      return fail(ErrorCode::kDeviceFault,
                  "the rig process did not start: {}. Once that is mended it is started again with "
                  "the next try; 'tactelier devices test {}' looks at the devices alone",
                  words, place.devices.string());
    }
    // The socket is there before the devices are: status answers once they are.
    if (last_words(log) == kReady)
      if (auto client = answers()) return client;
    job.progress("connect", 0, 0);
    clock.wait_until(clock.now_ns() + kLook_ns);
  }
  return fail(ErrorCode::kTimeout, "the rig process does not answer: {}", last_words(log));
}

Result<std::filesystem::path> running_socket(
    const std::optional<std::filesystem::path>& device_file) {
  if (device_file) {
    const auto devices = devices::load_device_file(*device_file);
    if (!devices) return fail(devices.error());
    return rig::socket_of(*devices);
  }
  if (auto ours = rig::check_private(rig::runtime_folder()); !ours) return fail(ours.error());
  std::vector<std::filesystem::path> alive;
  for (const auto& socket : rig::known_sockets())
    if (rig::connect_socket(socket)) alive.push_back(socket);
  if (alive.size() > 1)
    return fail(ErrorCode::kUsage, "{} rig processes run; say which with --devices", alive.size());
  if (alive.empty()) return fail(ErrorCode::kIo, "no rig process runs");
  return alive.front();
}

Result<rig::RigClient> running_rig(const std::optional<std::filesystem::path>& device_file) {
  const auto socket = running_socket(device_file);
  if (!socket) return fail(socket.error());
  return rig::RigClient::connect(*socket);
}

Result<std::vector<std::optional<double>>> load_answers(const std::filesystem::path& file) {
  const auto text = read_text_file(file, kMaxLog);
  if (!text) return fail(text.error());
  const auto document = parse_json(*text, file.string());
  if (!document) return fail(document.error());
  std::vector<std::optional<double>> answers;
  for (const auto& answer : *document) {
    if (!document->is_array() || !(answer.is_number() || answer.is_null()))
      return fail(ErrorCode::kInvalidInput, "{}: a list of numbers (or null) expected",
                  file.string());
    answers.push_back(answer.is_null() ? std::nullopt : std::optional(answer.get<double>()));
  }
  return answers;
}

namespace {

/// What the device file alone tells.
RigMeans means_of(const devices::DeviceFile& devices) {
  RigMeans means;
  if (!devices.force) return means;
  const auto range_SI = devices.force->options.numbers("full_scale_N_Nm");
  if (range_SI.size() == means.force_range_SI.size())
    std::copy(range_SI.begin(), range_SI.end(), means.force_range_SI.begin());
  return means;
}

constexpr double kUsualHoming_s = 30;  // and proof of the force

/// For a recording that chooses its presses, what it begins with.
Result<Protocol> protocol_of(const RecordRequest& request, const devices::DeviceFile& devices,
                             const RigFile& rig) {
  if (request.adaptive && !request.resume && request.protocol.empty())
    return AdaptiveRecording::create(*devices.sensor, rig, *request.adaptive, {})
        .map([](const AdaptiveRecording& adaptive) { return adaptive.opening(); });
  if (!request.resume || !request.protocol.empty()) return load_protocol(request.protocol);
  const auto before = Session::open(request.target);
  if (!before) return fail(before.error());
  return rig::protocol_of(*before);
}

}  // namespace

Result<RecordPreview> preview_recording(const RecordRequest& request) {
  auto loaded = load(request.place);
  if (!loaded) return fail(loaded.error());
  auto& [devices, rig] = *loaded;
  if (!devices.sensor)
    return fail(ErrorCode::kInvalidInput,
                "{}: tactile: 'sensor' is missing: what is there to "
                "calibrate?",
                request.place.devices.string());
  if (auto sound =
          check_plausible(rig, *devices.sensor, means_of(devices), request.place.rig.string());
      !sound)
    return fail(sound.error());
  const auto protocol = protocol_of(request, devices, rig);
  if (!protocol) return fail(protocol.error());
  const auto setup = setup_for(rig, bench_setup());
  auto plan = plan_protocol(*protocol, *devices.sensor, setup);
  if (!plan) return fail(plan.error());
  if (const auto reached = check_reach(*plan, rig); !reached) return fail(reached.error());
  const auto shallow = coarse_steps(*plan, rig);
  plan->warnings.insert(plan->warnings.end(), shallow.begin(), shallow.end());
  RecordPreview preview;
  preview.adaptive = request.adaptive ? request.adaptive : wish_in(*protocol);
  double speed_m_per_s = 0;
  for (const auto& segment : plan->segments)
    if (segment.phase == Phase::kLoad && segment.touch == Touch::kPad)
      speed_m_per_s = std::max(speed_m_per_s, segment.speed_m_per_s);
  const double stiffness_N_per_m = setup.expected.punch_stiffness_N_per_m.high;
  for (const auto& row :
       rig_limits(rig, devices, *devices.sensor, stiffness_N_per_m, speed_m_per_s))
    preview.limits.push_back({row.what, row.value, row.action, rig::overshoot_words(row)});
  preview.time_scale = devices.time_scale;
  if (request.resume) {
    const auto before = Session::open(request.target);
    if (!before) return fail(before.error());
    auto from = rig::resume_point(*plan, before->events(), before->edits());
    if (!from) return fail(from.error(), request.target.string());
    preview.from = std::move(*from);
  }
  const auto begins_at = preview.from ? preview.from->segment : 0;
  preview.lasts_s = rig::TimeLeft(*plan).left_s(begins_at, 0) / preview.time_scale;
  preview.set_up_s =
      (kUsualHoming_s + rig::kUsualSurface_s + rig::kUsualRegistration_s) / preview.time_scale;
  preview.plan = std::move(*plan);
  preview.rig = std::move(rig);
  return preview;
}

namespace {

rig::messages::RecordOrder order_of(const RecordRequest& request, const Protocol& protocol) {
  rig::messages::RecordOrder order;
  order.file = std::filesystem::absolute(request.target).string();
  order.resume = request.resume;
  order.set_up = true;
  order.protocol = json::parse(protocol.document);
  order.reference_spring_N_per_m = request.reference_spring_N_per_m;
  order.sensor_serial = request.sensor_serial;
  order.mount = request.mount;
  order.operator_name = request.operator_name;
  order.notes = request.notes;
  order.temperature_degC = request.temperature_degC;
  return order;
}

}  // namespace

namespace {

/// Chooses presses in a thread of its own while the rig presses those before.
class Chooser {
 public:
  Chooser(AdaptiveRecording recording, std::filesystem::path file)
      : recording_(std::move(recording)), file_(std::move(file)) {}
  ~Chooser() { stop_.request_stop(); }

  Chooser(const Chooser&) = delete;
  Chooser& operator=(const Chooser&) = delete;

  json steps_in_need() const { return recording_.steps_in_need(); }

  void want(double end_s) {
    Job job;
    job.stop = stop_.get_token();
    choice_ = std::async(std::launch::async,
                         [this, end_s, job] { return recording_.after(file_, end_s, job); });
  }

  /// What has been chosen, once. Without anything else those before were the last ones.
  Result<void> give(rig::RigClient& client) {
    if (!choice_.valid() || choice_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
      return {};
    const auto next = choice_.get();
    if (!next) return fail(next.error());
    const auto given = client.ask(to_json(further_order(*next)));
    if (!given) return fail(given.error());
    return {};
  }

 private:
  AdaptiveRecording recording_;
  std::filesystem::path file_;
  std::stop_source stop_;
  std::future<Result<std::optional<adaptive::NextSteps>>> choice_;
};

}  // namespace

Result<std::optional<AdaptiveRecording>> adaptive_recording(
    const RecordRequest& request, std::function<void(const AdaptiveNews&)> on_news) {
  const auto loaded = load(request.place);
  if (!loaded) return fail(loaded.error());
  const auto& [devices, rig] = *loaded;
  const auto protocol = protocol_of(request, devices, rig);
  if (!protocol) return fail(protocol.error());
  const auto wish = request.adaptive ? request.adaptive : wish_in(*protocol);
  if (!wish) return std::nullopt;
  auto recording = AdaptiveRecording::create(*devices.sensor, rig, *wish, std::move(on_news));
  if (!recording) return fail(recording.error());
  const auto begun =
      request.resume ? recording->go_on_with(*protocol) : recording->begin_with(*protocol);
  if (!begun) return fail(begun.error());
  return std::optional(std::move(*recording));
}

Result<RecordReport> record_session(const RecordRequest& request, const AskPerson& ask,
                                    const Job& job, const Attendant& attendant) {
  const auto loaded = load(request.place);
  if (!loaded) return fail(loaded.error());
  const auto protocol = protocol_of(request, loaded->first, loaded->second);
  if (!protocol) return fail(protocol.error());
  auto adaptive = adaptive_recording(request, attendant.on_choice);
  if (!adaptive) return fail(adaptive.error());
  std::unique_ptr<Chooser> chooser;
  if (*adaptive)
    chooser =
        std::make_unique<Chooser>(std::move(**adaptive), std::filesystem::absolute(request.target));
  auto client = reach_rig(request.place, job);
  if (!client) return fail(client.error());
  auto order = order_of(request, *protocol);
  if (chooser) order.grows = chooser->steps_in_need();
  if (chooser && request.resume) order.protocol = nullptr;  // the one that it holds
  std::size_t answered = 0;
  const AskPerson answer = [&](const std::string& text,
                               const std::string& key) -> Result<std::optional<double>> {
    if (answered < request.answers.size()) return request.answers[answered++];
    if (!ask) return fail(ErrorCode::kUsage, "'{}': nobody is there to answer", text);
    return ask(text, key);
  };
  RecordReport report;
  auto follow = follow_of(job, answer);
  follow.meanwhile = attendant.meanwhile;
  std::optional<Error> not_chosen;
  if (chooser) {
    follow.on_wanting = [&](const rig::messages::Wanting& wanting) {
      chooser->want(wanting.end_s);
    };
    follow.meanwhile = [&](rig::RigClient& to) {
      if (attendant.meanwhile) attendant.meanwhile(to);
      if (auto given = chooser->give(to); !given && !not_chosen) not_chosen = given.error();
    };
  }
  if (attendant.on_progress) follow.on_progress = attendant.on_progress;
  const auto result = client->follow(to_json(order), follow, report.warnings);
  if (!result) return fail(result.error());
  if (not_chosen)
    report.warnings.push_back({"FURTHER", not_chosen->message, "while presses were chosen"});
  report.file = request.target;
  const auto recorded = rig::messages::recorded_in(*result);
  report.presses = recorded.presses;
  report.aborted = recorded.aborted;
  report.repeated = recorded.repeated;
  report.complete = recorded.complete;
  report.peak_force_N = recorded.peak_force_N;
  report.duration_s = recorded.duration_s;
  return report;
}

Result<json> run_set_up(const RigPlace& place, rig::messages::TaskKind kind, const AskPerson& ask,
                        Warnings& warnings, const Job& job) {
  auto client = reach_rig(place, job);
  if (!client) return fail(client.error());
  return client->follow(rig::messages::task_request(kind, true), follow_of(job, ask), warnings);
}

}  // namespace tactelier

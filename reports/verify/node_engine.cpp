#include "reports/verify/node_engine.hpp"

#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "reports/export/tactel_places.hpp"

extern char** environ;  // NOLINT: POSIX's

namespace tactelier {
namespace {

// One line of words in, one line out: numbers, or "error" and MuJoCo's words. Degrees of freedom
// that were asked for by name are those whose state comes back with each step.
constexpr const char* kServer = R"(
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [, npm, scene] = process.argv;
const mj = await (await import(npm + '/mujoco.js')).default();
const id = (kind, name) => mj.mj_name2id(model, mj.mjtObj[kind].value, name);
const watched = [];
let model, data;
function seen() {
  const { qpos, qvel, qfrc_constraint } = data;
  return [data.time, ...watched.flatMap((dof) => [qpos[dof], qvel[dof], qfrc_constraint[dof]])];
}
const answers = {
  load([tolerance, iterations]) {
    model = mj.MjModel.from_xml_string(readFileSync(scene, 'utf8'));
    model.opt.ccd_tolerance = Number(tolerance);
    model.opt.ccd_iterations = Number(iterations);
    data = new mj.MjData(model);
    return [mj.mj_versionString(), model.opt.timestep, model.opt.tolerance];
  },
  body: ([name]) => [id('mjOBJ_BODY', name)],
  dof([joint]) {
    watched.push(model.jnt_dofadr[id('mjOBJ_JOINT', joint)]);
    return [watched.at(-1)];
  },
  place([body, ...numbers]) {
    const to = Number(body);
    numbers.forEach((number, i) => {
      if (i < 3) model.body_pos[3 * to + i] = Number(number);
      else model.body_quat[4 * to + i - 3] = Number(number);
    });
    return [];
  },
  reset() {
    mj.mj_resetData(model, data);
    return seen();
  },
  push([dof, force]) {
    data.qfrc_applied[Number(dof)] = Number(force);
    return [];
  },
  step([times, ...speeds]) {
    const { qvel } = data;
    for (let left = Number(times); left > 0; --left) {
      const before = data.time;
      for (let i = 0; i < speeds.length; i += 2) qvel[Number(speeds[i])] = Number(speeds[i + 1]);
      mj.mj_step(model, data);
      if (!(data.time > before)) throw new Error('the simulation has become unstable');
    }
    return seen();
  },
  forward() {
    mj.mj_forward(model, data);
    return seen();
  },
  sensors: ([count]) => Array.from(data.sensordata.slice(0, Number(count))),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const [ask, ...words] = line.split(' ');
  let answer;
  try {
    answer = answers[ask](words).join(' ');
  } catch (error) {
    answer = 'error ' + String(error.message ?? error).replaceAll('\n', ' ');
  }
  process.stdout.write(answer + '\n');
}).on('close', () => process.exit(0));
)";

std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  for (const char* at = line.data(); at < line.data() + line.size();) {
    double number = std::nan("");
    at = std::from_chars(at, line.data() + line.size(), number).ptr + 1;
    numbers.push_back(number);
  }
  return numbers;
}

class NodeProcess {
 public:
  NodeProcess(int socket, pid_t process) : socket_(socket), process_(process) {}
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;
  ~NodeProcess() {
    close(socket_);
    waitpid(process_, nullptr, 0);
  }

  /// Throws std::runtime_error with what MuJoCo says, or that the process is gone.
  std::string ask(std::string question) {
    question += '\n';
    for (std::size_t sent = 0; sent < question.size();) {
      const auto now = send(socket_, question.data() + sent, question.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) throw std::runtime_error("Node has ended");
      sent += static_cast<std::size_t>(now);
    }
    auto line = read_line();
    if (line.starts_with("error ")) throw std::runtime_error(line.substr(6));
    return line;
  }

 private:
  std::string read_line() {
    std::size_t end = 0;
    while ((end = buffer_.find('\n')) == buffer_.npos) {
      std::array<char, 4096> bytes{};
      const auto got = read(socket_, bytes.data(), bytes.size());
      if (got <= 0) throw std::runtime_error("Node has ended");
      buffer_.append(bytes.data(), static_cast<std::size_t>(got));
    }
    auto line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
  }

  int socket_;
  pid_t process_;
  std::string buffer_;
};

Result<std::unique_ptr<NodeProcess>> start_node(const std::filesystem::path& package,
                                                const std::filesystem::path& scene) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(ErrorCode::kIo, "no sockets to talk to Node over");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::array<std::string, 6> words{"node",  "--input-type=module", "-e",
                                   kServer, package.string(),      scene.string()};
  std::array<char*, 7> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t process = 0;
  const int refused = posix_spawnp(&process, "node", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (refused == 0) return std::make_unique<NodeProcess>(ends[0], process);
  close(ends[0]);
  return fail(
      ErrorCode::kUsage,
      "MuJoCo of npm runs under Node, which can't be started: install nodejs (18 or later)");
}

class NodeEngine final : public MujocoEngine {
 public:
  NodeEngine(std::unique_ptr<NodeProcess> process, TargetFacts facts)
      : process_(std::move(process)), facts_(std::move(facts)) {}

  TargetFacts facts() override { return facts_; }
  int body(const std::string& name) override {
    return static_cast<int>(numbers("body " + name).at(0));
  }
  int dof(const std::string& joint) override {
    const int dof = static_cast<int>(numbers("dof " + joint).at(0));
    watched_.push_back(dof);
    return dof;
  }

  void place(int body, const Vector3& position_m, const Vector3& normal) override {
    const auto turn = quaternion_to(normal);
    process_->ask(
        fmt::format("place {} {} {}", body, fmt::join(position_m, " "), fmt::join(turn, " ")));
  }
  void reset() override { seen_ = numbers("reset"); }
  void push(int dof, double force_N) override {
    process_->ask(fmt::format("push {} {}", dof, force_N));
  }
  void step(std::span<const DofSpeed> speeds, int times) override {
    std::string question = fmt::format("step {}", times);
    for (const auto& [dof, speed_m_per_s] : speeds)
      question += fmt::format(" {} {}", dof, speed_m_per_s);
    seen_ = numbers(question);
  }
  void forward() override { seen_ = numbers("forward"); }

  double time_s() override { return seen_.at(0); }
  DofState state(int dof) override {
    for (std::size_t i = 0; i < watched_.size(); ++i)
      if (watched_[i] == dof)
        return {seen_.at(1 + 3 * i), seen_.at(2 + 3 * i), seen_.at(3 + 3 * i)};
    throw std::runtime_error(fmt::format("nobody asked for degree of freedom {}", dof));
  }
  std::vector<double> sensors(std::size_t count) override {
    return numbers(fmt::format("sensors {}", count));
  }

 private:
  std::vector<double> numbers(const std::string& question) {
    return numbers_of(process_->ask(question));
  }

  std::unique_ptr<NodeProcess> process_;
  TargetFacts facts_;
  std::vector<int> watched_;
  std::vector<double> seen_;  // time, then three numbers of each watched degree of freedom
};

std::vector<std::filesystem::path> npm_folders() {
  std::vector<std::filesystem::path> folders{"node_modules"};
  const char* more = std::getenv("NODE_PATH");
  for (std::string_view left = more != nullptr ? more : ""; !left.empty();) {
    const auto end = std::min(left.find(':'), left.size());
    if (end > 0) folders.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return folders;
}

}  // namespace

Result<std::filesystem::path> mujoco_of_npm() {
  for (const auto& folder : npm_folders()) {
    std::error_code ignored;
    auto package = std::filesystem::absolute(folder / "@mujoco" / "mujoco", ignored);
    if (std::filesystem::exists(package / "mujoco.js", ignored)) return package;
  }
  return fail(ErrorCode::kUsage,
              "MuJoCo of npm is not in node_modules of the current folder nor of NODE_PATH: npm "
              "install @mujoco/mujoco@3.14.0");
}

Result<std::unique_ptr<MujocoEngine>> node_engine(const std::filesystem::path& scene,
                                                  const std::filesystem::path& package) {
  auto process = start_node(package, scene);
  if (!process) return fail(process.error());
  try {
    const auto loaded =
        (*process)->ask(fmt::format("load {} {}", kDepthTolerance, kDepthIterations));
    const auto version = loaded.substr(0, loaded.find(' '));
    const auto numbers = numbers_of(std::string_view(loaded).substr(version.size() + 1));
    return std::make_unique<NodeEngine>(
        std::move(*process), TargetFacts{"MuJoCo", version, numbers.at(0), numbers.at(1)});
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidInput, "MuJoCo refuses the exported file: {}", error.what());
  }
}

}  // namespace tactelier

#include "devices/server/device_claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include "devices/link/link_address.hpp"
#include "devices/server/rig_client.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::rig {
namespace {

using devices::Descriptor;
using nlohmann::json;

constexpr std::int64_t kPatience_ns = 2'000'000'000;  // a program that ends, a doctor's look
constexpr std::int64_t kLook_ns = 20'000'000;
constexpr std::size_t kMaxWords = 1U << 16U;

std::filesystem::path lock_file(const std::string& address) {
  return runtime_folder() / fmt::format("tactelier-link-{:016x}.lock", name_hash(address));
}

/// ", which records /a/b.tact": what a rig process is doing, as far as it says.
std::string doing(const std::string& socket) {
  auto client = RigClient::connect(socket);
  const auto status = client ? client->status() : Result<messages::Status>(messages::Status{});
  if (!status) return "";
  if (status->recording) return fmt::format(", which records {}", status->recording->file);
  return status->task ? fmt::format(", which does '{}'", to_string(*status->task))
                      : ", which does nothing right now";
}

/// Whoever wrote the lock file, and what helps.
std::string holder(const std::filesystem::path& file) {
  const auto text = read_text_file(file, kMaxWords);
  const auto words = text ? parse_json(*text, file.string()) : Result<json>(json());
  if (!words || !words->is_object()) return "another program has it; wait until it ends";
  const auto devices = get_text(*words, "devices"), socket = get_text(*words, "socket");
  const auto by =
      fmt::format("{} (process {}{}{})", get_text(*words, "what"),
                  get_int(*words, "process").value_or(0), devices.empty() ? "" : ", ", devices);
  if (socket.empty()) return fmt::format("{} has it; wait until that is done, or end it", by);
  return fmt::format(
      "{} has it{}; ask that one ('tactelier rig status'), wait until it is done, or end it with "
      "'tactelier rig quit{}{}'",
      by, doing(socket), devices.empty() ? "" : " --devices ", devices);
}

void sign(const Descriptor& lock, const Claimant& who) {
  const auto words = canonical(json{{"process", ::getpid()},
                                    {"what", who.what},
                                    {"devices", who.device_file.string()},
                                    {"socket", who.socket.string()}});
  // For people alone: the lock holds without it.
  if (::ftruncate(lock.get(), 0) == 0) (void)!::pwrite(lock.get(), words.data(), words.size(), 0);
}

/// Nothing: somebody has it.
Result<std::optional<Descriptor>> try_lock(const std::filesystem::path& file) {
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid())
    return fail(ErrorCode::kIo, "{}: {}", file.string(), devices::system_message(errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  return std::nullopt;
}

Result<Descriptor> wait_for_lock(const std::string& url, const std::filesystem::path& file) {
  auto& clock = devices::steady_host_clock();
  const auto deadline_ns = clock.now_ns() + kPatience_ns;
  while (true) {
    auto lock = try_lock(file);
    if (!lock) return fail(lock.error());
    if (*lock) return std::move(**lock);
    if (clock.now_ns() > deadline_ns)
      return fail(ErrorCode::kIo, "{}: is in use: {}", url, holder(file));
    clock.wait_until(clock.now_ns() + kLook_ns);
  }
}

template <class Device>
void add(const std::optional<devices::DeviceEntry<Device>>& entry, std::vector<std::string>& urls) {
  if (!entry) return;
  if (auto url = entry->options.text("url"); !url.empty()) urls.push_back(std::move(url));
}

}  // namespace

Result<DeviceClaim> DeviceClaim::take(const devices::DeviceFile& file, const Claimant& who) {
  std::vector<std::string> urls;
  add(file.stage, urls);
  add(file.force, urls);
  add(file.tactile, urls);
  for (const auto& gauge : file.aux) add(std::optional(gauge), urls);
  return take(urls, who);
}

Result<DeviceClaim> DeviceClaim::take(std::span<const std::string> urls, const Claimant& who) {
  std::map<std::string, std::string> by_address;  // everybody takes them in the same order
  for (const auto& url : urls) {
    auto address = devices::link_address(url);
    if (!address) return fail(address.error());
    by_address.emplace(std::move(*address), url);
  }
  if (auto ours = make_private(runtime_folder()); !ours) return fail(ours.error());
  DeviceClaim claim;
  for (const auto& [address, url] : by_address) {
    auto lock = wait_for_lock(url, lock_file(address));
    if (!lock) return fail(lock.error());
    sign(*lock, who);
    claim.locks_.push_back(std::move(*lock));
  }
  return claim;
}

}  // namespace tactelier::rig

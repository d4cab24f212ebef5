// A rig process that is just ending, and whoever comes for its devices.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <thread>

#include "app/workflow/rig_process.hpp"
#include "devices/server/rig_socket.hpp"
#include "libcalib/protocol/rig.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

/// Takes one connection, hangs up on all of them and is gone.
void end_after_a_connection(devices::Descriptor listening, const std::filesystem::path& socket) {
  pollfd waiting{listening.get(), POLLIN, 0};
  constexpr int kMost_ms = 20'000;
  EXPECT_EQ(::poll(&waiting, 1, kMost_ms), 1);
  const devices::Descriptor taken(::accept(listening.get(), nullptr, nullptr));
  std::filesystem::remove(socket);
}

TEST(EndingRig, IsWaitedForAndItsDevicesAreTaken) {
  const TestFolder folder;
  CliProcess bench(folder.path(), {"bench", "--json", "--write-devices", "devices.json"});
  ASSERT_FALSE(bench.read_line().empty());
  folder.write("rig.json", virtual_bench_rig().document);
  const RigPlace place{folder / "devices.json", folder / "rig.json"};
  const auto file = devices::load_device_file(place.devices);
  ASSERT_TRUE(file) << file.error().message;
  const auto socket = rig::socket_of(*file);
  auto listening = rig::listen_socket(socket);
  ASSERT_TRUE(listening) << listening.error().message;
  std::jthread ending(end_after_a_connection, std::move(*listening), socket);
  auto client = reach_rig(place, Job(), paths::cli());
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_EQ(run_cli(folder.path(), {"rig", "quit", "--devices", "devices.json"}).status, 0);
}

}  // namespace
}  // namespace tactelier::test

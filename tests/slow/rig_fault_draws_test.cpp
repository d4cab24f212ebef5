// Faults drawn at random: which device, what, when, while a run is recorded and clients look on,
// press STOP and talk nonsense. scripts/tsan runs this one: what matters is that every thread comes
// to an end in order. TACTELIER_FAULT_DRAWS and TACTELIER_FAULT_SEED choose others.

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <random>

#include "tests/devices/support/fault_draw.hpp"
#include "tests/devices/support/request_mutator.hpp"
#include "tests/devices/support/served_rig.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

#ifdef __SANITIZE_THREAD__
constexpr double kSpeed = 2;
#else
constexpr double kSpeed = 8;
#endif
constexpr double kLimit_N = 4;
constexpr double kBeyond_N = 1;  // see rig_faults_test.cpp

constexpr const char* kProtocol = R"({
  "format": "tactelier/protocol", "version": 1, "name": "draws",
  "indenter": {"shape": "sphere", "diameter_mm": 6},
  "steps": [{"do": "hold", "sites": [38], "force_N": 1.0, "ramp_s": 1, "time_s": 1},
            {"do": "slide", "load_N": [1.0], "speeds_mm_s": [2], "length_mm": 4,
             "directions_deg": [0], "repeats": 1},
            {"do": "zero", "time_s": 2}]})";

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Draw : FaultDraw {
  std::size_t at_news = 0;  // struck when so many news of the recording have come
  bool stop_too = false;
};

Draw drawn(std::mt19937_64& random, bool with_encoder) {
  Draw draw{drawn_fault(random, with_encoder)};
  draw.at_news = 1 + random() % 40;
  draw.stop_too = random() % 5 == 0;
  return draw;
}

/// Somebody else at the socket meanwhile.
void look_on(const ServedRig& rig, std::uint64_t seed, const std::atomic<bool>& over) {
  RequestMutator requests(seed);
  RawClient client(rig.socket());
  while (!over) {
    ASSERT_TRUE(client.ask(R"({"do": "status"})").contains("ok"));
    ASSERT_TRUE(client.ask(R"({"do": "note", "text": "seen"})").is_object());
    ASSERT_TRUE(client.ask("{\"do\": " + std::to_string(requests.below(100)) + "}").is_object());
  }
}

/// The rig is what it was told to be, the file whole, whatever struck.
void strike(const Draw& draw, std::uint64_t seed, bool with_encoder) {
  ServedRig rig;
  auto& lab = rig.lab;
  lab.change = [=](devices::BenchSetup& bench) { bench.encoder = with_encoder; };
  lab.rig.limits.max_force_N = kLimit_N;
  ASSERT_NO_FATAL_FAILURE(rig.start(seed, kSpeed));
  const auto file = rig.folder.path() / "draw.tact";
  std::atomic<bool> over{false};
  std::jthread onlooker([&] { look_on(rig, seed, over); });
  std::size_t news = 0;
  RigClient::Follow follow;
  follow.on_progress = [&](const messages::Progress&) {
    if (++news != draw.at_news) return;
    lab.bench->inject(draw.device, draw.fault);
    if (draw.stop_too) lab.ask({{"do", "stop"}});
  };
  auto client = rig.client();
  Warnings warnings;
  const auto ended = client.follow({{"do", "record"},
                                    {"set_up", true},
                                    {"protocol", json::parse(kProtocol)},
                                    {"file", file.string()}},
                                   follow, warnings);
  over = true;
  onlooker.join();
  EXPECT_LT(lab.bench->take_peak_N(), kLimit_N + kBeyond_N);
  EXPECT_EQ(lab.status()["task"], "");
  EXPECT_EQ(lab.status()["recording"], nullptr);
  rig.stop();
  if (!std::filesystem::exists(file)) return;  // it struck during set-up
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->finished());
  EXPECT_TRUE(presses(session->events(), {}, session->metadata()));
}

TEST(RigFaultDraws, EveryDrawnFaultLeavesForceBoundedTheFileWholeAndNobodyWaiting) {
  const auto seed = setting("TACTELIER_FAULT_SEED", 29);
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < setting("TACTELIER_FAULT_DRAWS", 30); ++i) {
    const bool with_encoder = i % 2 == 1;
    const auto draw = drawn(random, with_encoder);
    SCOPED_TRACE(fmt::format("draw {}: {} fault {} after {} s of news {}, {} messages{}", i,
                             draw.device, static_cast<int>(draw.fault.kind), draw.fault.after_s,
                             draw.at_news, draw.fault.count, draw.stop_too ? ", and STOP" : ""));
    fmt::print(stderr, "draw {}\n", i);  // they take minutes under the sanitizer
    ASSERT_NO_FATAL_FAILURE(strike(draw, seed + i, with_encoder));
  }
}

}  // namespace
}  // namespace tactelier::rig

// Requests changed at random, as many as TACTELIER_FUZZ_REQUESTS says (20 000): none ends the
// process, each has one answer, nothing moves.

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "libcalib/json_check.hpp"
#include "tests/devices/support/request_mutator.hpp"
#include "tests/devices/support/served_rig.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr double kSpeed = 2;

std::size_t how_many() {
  const char* number = std::getenv("TACTELIER_FUZZ_REQUESTS");
  return number != nullptr ? std::strtoull(number, nullptr, 10) : 20'000;
}

bool is_answer(const json& said) { return said.is_object() && !said.contains("news"); }

TEST(RequestFuzz, EveryRequestIsAnsweredAndNothingMoves) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto place = [&] { return lab.status()["position_mm"]; };
  while (place()[2] == 0.0) std::this_thread::yield();  // until the stage has said where it is
  const auto before = place();
  RequestMutator requests(20261122);
  std::size_t parsed = 0, taken = 0;
  for (std::size_t i = 0; i < how_many(); ++i) {
    const auto line = requests.line();
    const auto document = parse_json(line, "request");
    if (!document) continue;
    ++parsed;
    const auto request = RequestMutator::at_rest(*document);
    const auto answer = lab.service->handle(request, 1, [](const json&) {});
    ASSERT_TRUE(answer.contains("ok") || answer.contains("error")) << line;
    (void)canonical(answer);
    taken += answer.contains("ok") ? 1 : 0;
  }
  EXPECT_GT(parsed, how_many() / 3);
  EXPECT_GT(taken, how_many() / 20);
  RecordProperty("parsed", static_cast<int>(parsed));
  RecordProperty("taken", static_cast<int>(taken));
  EXPECT_EQ(place(), before);
}

TEST(RequestFuzz, EveryLineOnTheSocketHasOneAnswer) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  RequestMutator requests(42);
  RawClient client(rig.socket());
  const auto lines = std::max<std::size_t>(how_many() / 20, 1000);
  std::size_t answers = 0;
  for (std::size_t sent = 0; sent < lines;) {
    std::string several;
    std::size_t expected = 0;
    for (auto more = 1 + requests.below(20); more > 0; --more) {
      const auto line = requests.line();
      const auto document = parse_json(line, "request");
      if (document && RequestMutator::at_rest(*document) != *document) continue;
      if (document && document->is_object() &&
          (document->value("do", json()) == "watch" || document->value("do", json()) == "quit"))
        continue;  // the connection would be no longer one of lines
      several += line + "\n";
      ++expected;
    }
    sent += expected + 1;
    // In pieces of any length.
    for (std::size_t at = 0; at < several.size();) {
      const auto size = 1 + requests.below(several.size());
      ASSERT_TRUE(client.send(std::string_view(several).substr(at, size)));
      at += size;
    }
    while (expected > 0) {
      const auto said = client.read();
      ASSERT_TRUE(said.is_object());
      if (!is_answer(said)) continue;
      --expected;
      ++answers;
    }
  }
  EXPECT_GT(answers, lines / 2);
  // No answer is left over: the next one is this request's. News of a task may come before it.
  ASSERT_TRUE(client.send("{\"do\": \"status\"}\n"));
  auto said = client.read();
  while (said.is_object() && !is_answer(said)) said = client.read();
  ASSERT_TRUE(said.contains("result")) << said;
  EXPECT_TRUE(said["result"].contains("position_mm")) << said;
}

}  // namespace
}  // namespace tactelier::rig

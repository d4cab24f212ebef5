// What clients meet on a rig process's socket: answers and news in order, and an answer to
// whatever they say.

#include "devices/server/rig_server.hpp"

#include <gmock/gmock.h>

#include <future>

#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/served_rig.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr double kSpeed = kBenchSpeed;
constexpr int kOften = 300;  // 37 of 300 hung

constexpr const char* kOnePress = R"({
  "format": "tactelier/protocol", "version": 1, "name": "one press",
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 20},
            {"do": "scan", "tactels": [38], "speed_mm_s": 0.8,
             "until": {"force_N": 1, "depth_mm": 1.5}}]})";

TEST(RigServer, TheAnswerComesBeforeTheNewsOfATaskThatFailsAtOnce) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  RawClient client(rig.socket());
  client.ask(R"({"do": "stop"})");  // a locked rig fails a task as soon as it is begun
  for (int i = 0; i < kOften; ++i) {
    const auto answer = client.ask(R"({"do": "retract"})");
    ASSERT_EQ(answer.value("ok", false), true) << "at " << i << ": " << answer.dump();
    ASSERT_EQ(client.read().value("news", ""), "failed") << "at " << i;
  }
}

TEST(RigServer, AClientFollowsTasksThatFailAtOnceToTheirEnd) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  auto client = rig.client();
  ASSERT_TRUE(client.ask({{"do", "stop"}}));
  Warnings warnings;
  for (int i = 0; i < kOften; ++i) {
    const auto ended = client.follow({{"do", "retract"}}, {}, warnings);
    ASSERT_FALSE(ended);
    ASSERT_THAT(ended.error().message, HasSubstr("the rig is locked"));
  }
}

/// The other end of a client, played by the test.
TEST(RigClient, NewsThatOvertakeTheAnswerAreKept) {
  const ShortFolder folder;
  const auto socket = folder.path() / "rig.sock";
  const auto listening = listen_socket(socket);
  ASSERT_TRUE(listening) << listening.error().message;
  auto client = RigClient::connect(socket);
  ASSERT_TRUE(client) << client.error().message;
  JsonLines server(devices::Descriptor(::accept(listening->get(), nullptr, nullptr)));
  // All of it lies in the socket before the client asks.
  for (const char* line :
       {R"({"task": 6, "news": "done", "result": {"of": "an earlier task"}})",
        R"({"task": 7, "news": "failed", "error": {"code": "timeout", "text": "too late"}})",
        R"({"ok": true, "task": 7})"})
    ASSERT_TRUE(server.write(json::parse(line)));
  Warnings warnings;
  const auto ended = client->follow({{"do", "retract"}}, {}, warnings);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(ended.error().message, "too late");
}

struct BadRequest {
  const char* line;
  const char* words;  // what the answer must say
};

const BadRequest kBad[] = {
    {R"({"do": 5})", "do: expected a string, found number"},
    {R"({"do": null})", "do: expected a string"},
    {R"({"do": ["stop"]})", "do: expected a string"},
    {R"({})", "'do' is missing"},
    {R"([])", "expected an object"},
    {R"(5)", "expected an object"},
    {R"("stop")", "expected an object"},
    {R"(null)", "expected an object"},
    {R"({"do": "jogg", "by_mm": [0, 0, 0]})", "did you mean 'jog'?"},
    {R"({"do": "note", "text": 5})", "note.text: expected a string, found 5"},
    {R"({"do": "note", "text": ""})", "note.text"},
    {R"({"do": "note"})", "'text' is missing"},
    {R"({"do": "status", "of": 5})", "unknown key 'of'"},
    {R"({"do": "answer", "value": "5"})", "answer.value: expected a number or null, found \"5\""},
    {R"({"do": "answer", "value": [5]})", "answer.value"},
    {R"({"do": "jog"})", "'by_mm' is missing"},
    {R"({"do": "jog", "by_mm": 1})", "jog.by_mm: expected a list"},
    {R"({"do": "jog", "by_mm": [0, 0]})", "exactly 3 entries"},
    {R"({"do": "jog", "by_mm": [0, 0, 0, 0]})", "exactly 3 entries"},
    {R"({"do": "jog", "by_mm": [0, "a", 0]})", "jog.by_mm[1]: expected a number"},
    {R"({"do": "jog", "by_mm": [0, null, 0]})", "jog.by_mm[1]: expected a number"},
    {R"({"do": "jog", "by_mm": [0, 1e300, 0]})", "jog.by_mm[1]: must be at most"},
    {R"({"do": "jog", "by_mm": [0, 1e999, 0]})", "a line of JSON"},
    {R"({"do": "jog", "by_mm": [0, NaN, 0]})", "a line of JSON"},
    {R"({"do": "jog", "by_mm": [0, 0, 0], "speed_mm_s": "fast"})", "jog.speed_mm_s"},
    {R"({"do": "jog", "by_mm": [0, 0, 0], "speed_mm_s": -1})", "jog.speed_mm_s"},
    {R"({"do": "jog", "by_mm": [0, 0, 0], "speed_mm_s": 0})", "jog.speed_mm_s"},
    {R"({"do": "jog", "by_mm": [0, 0, 0], "speed": 1})", "unknown key 'speed'"},
    {R"({"do": "home", "set_up": "yes"})", "home.set_up: expected true or false"},
    {R"({"do": "surface", "set_up": 1})", "surface.set_up"},
    {R"({"do": "register", "force_N": "1"})", "register.force_N"},
    {R"({"do": "register", "force_N": -1})", "register.force_N"},
    {R"({"do": "record", "file": 5, "protocol": {}})", "record.file: expected a string"},
    {R"({"do": "record", "protocol": {}})", "'file' is missing"},
    {R"({"do": "record", "file": "here.tact", "protocol": {}})", "absolute path"},
    {R"({"do": "record", "file": "/tmp/a\u0000b", "protocol": {}})", "absolute path"},
    {R"({"do": "record", "file": "/a", "protocol": 5})", "record.protocol: expected an object"},
    {R"({"do": "record", "file": "/a", "protocol": "study"})", "record.protocol"},
    {R"({"do": "record", "file": "/a", "resume": "yes"})", "record.resume"},
    {R"({"do": "record", "file": "/a", "protocol": {}, "notes": 5})", "record.notes"},
    {R"({"do": "record", "file": "/a", "protocol": {}, "operator": {}})", "record.operator"},
    {R"({"do": "record", "file": "/a", "protocol": {}, "reference_spring_N_per_m": "1"})",
     "record.reference_spring_N_per_m"},
    {R"({"do": "keep"})", "'rig' is missing"},
    {R"({"do": "keep", "rig": 5})", "keep.rig: expected an object"},
    {R"({"do": "keep", "rig": [{"plate_mm": 1}]})", "keep.rig: expected an object"},
    {R"({"do": "ping", "do": "stop"})", "stands twice"},
    {"{\"do\": \"note\", \"text\": \"\xff\xfe\"}", "a line of JSON"},
    {"\x01\x02\xff garbage", "a line of JSON"},
    {"", "is empty"},
    {R"({"do": "status")", "a line of JSON"},
};

void expect_error(RawClient& client, std::string_view line, const char* words) {
  const auto answer = client.ask(line);
  ASSERT_TRUE(answer.is_object() && answer.contains("error"))
      << line.substr(0, 100) << " -> " << answer.dump();
  EXPECT_THAT(answer["error"]["text"].get<std::string>(), HasSubstr(words)) << line.substr(0, 100);
}

void say_everything_bad(const std::filesystem::path& socket) {
  RawClient client(socket);
  for (const auto& bad : kBad) ASSERT_NO_FATAL_FAILURE(expect_error(client, bad.line, bad.words));
  const std::string deep(100'000, '[');
  ASSERT_NO_FATAL_FAILURE(expect_error(client, deep, "nested deeper"));
  const std::string in_keep = R"({"do": "keep", "rig": )" + std::string(70, '[');
  ASSERT_NO_FATAL_FAILURE(expect_error(client, in_keep, "nested deeper"));
  const std::string long_note = R"({"do": "note", "text": ")" + std::string(4 << 20, 'x') + "\"}";
  ASSERT_NO_FATAL_FAILURE(expect_error(client, long_note, "note.text"));
  EXPECT_EQ(client.ask(R"({"do": "ping"})").value("ok", false), true) << "it listens on";
}

TEST(RigServer, ALineWithoutAnEndIsAnsweredAndTheConnectionClosed) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  RawClient client(rig.socket());
  (void)client.send(std::string((8U << 20U) + 100'000, 'x'));
  EXPECT_THAT(client.read()["error"]["text"].get<std::string>(), HasSubstr("more than 8 MiB"));
  EXPECT_EQ(client.read(), nullptr);
  EXPECT_EQ(RawClient(rig.socket()).ask(R"({"do": "ping"})").value("ok", false), true);
}

/// What tasks look into themselves ends them with an error.
void expect_failed(RawClient& client, const char* line, const char* words) {
  const auto begun = client.ask(line);
  ASSERT_EQ(begun.value("ok", false), true) << line << " -> " << begun.dump();
  json news = client.read();
  while (news.is_object() && news.value("news", "") == "progress") news = client.read();
  ASSERT_EQ(news.value("news", ""), "failed") << line << " -> " << news.dump();
  EXPECT_THAT(news["error"]["text"].get<std::string>(), HasSubstr(words)) << line;
}

TEST(RigServer, WhatATaskLooksIntoItselfIsAnErrorToo) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  RawClient client(rig.socket());
  for (const auto& bad : std::initializer_list<BadRequest>{
           {R"({"do": "record", "file": "/tmp/a.tact", "protocol": {}})", "format"},
           {R"({"do": "record", "file": "/tmp/a.tact", "protocol": {"format": 5}})", "format"},
           {R"({"do": "record", "file": "/tmp/a.tact"})", "protocol expected"},
           {R"({"do": "keep", "rig": {"limits": {"max_force_N": 1}}})", "limits"},
           {R"({"do": "keep", "rig": {}})", "nothing that a set-up run finds"},
           {R"({"do": "keep", "rig": {"stage": 5}})", "stage"},
           {R"({"do": "keep", "rig": {"stage": {"backlash_um": {"z": {"z": 1}}}}})", "backlash_um"},
           {R"({"do": "keep", "rig": {"stage": {"backlash_um": {"z": "1"}}}})", "backlash_um"},
           {R"({"do": "keep", "rig": {"plate_mm": 5}})", "plate_mm"},
           {R"({"do": "keep", "rig": {"plate_mm": [1, 2]}})", "plate_mm"},
           {R"({"do": "keep", "rig": {"plate_mm": [1, 2, {"a": 1}]}})", "plate_mm"},
           {R"({"do": "keep", "rig": {"compliance_um_per_N": [1]}})", "compliance_um_per_N"},
           {R"({"do": "keep", "rig": {"compliance_um_per_N": "\ud83d\ude00"}})", "compliance"}})
    ASSERT_NO_FATAL_FAILURE(expect_failed(client, bad.line, bad.words));
  EXPECT_EQ(rig.lab.status()["mode"], "ready");
}

TEST(RigServer, NothingThatAClientSaysDisturbsAnothersRecording) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  const auto file = rig.folder.path() / "one.tact";
  auto recording = std::async(std::launch::async, [&] {
    auto client = rig.client();
    Warnings warnings;
    return client.follow({{"do", "record"},
                          {"set_up", true},
                          {"protocol", json::parse(kOnePress)},
                          {"file", file.string()}},
                         {}, warnings);
  });
  // As soon as something is recorded, and until it is over.
  const auto over = [&] {
    return recording.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  while (!over() && rig.lab.status()["recording"].is_null()) std::this_thread::yield();
  ASSERT_FALSE(over());
  while (!over()) ASSERT_NO_FATAL_FAILURE(say_everything_bad(rig.socket()));
  const auto ended = recording.get();
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ((*ended)["complete"], true);
  EXPECT_EQ((*ended)["aborted"], 0);
  EXPECT_EQ(rig.lab.status()["trip"], nullptr);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->finished());
  const auto* force = session->stream(StreamKind::kForce);
  ASSERT_NE(force, nullptr);
  EXPECT_LE(force->chunks, force->rows / 2048 + 1);  // compacted
}

TEST(RigServer, StopIsTakenWhateverStandsBesideIt) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  RawClient client(rig.socket());
  EXPECT_EQ(client.ask(R"({"do": "stop", "because": [5]})").value("ok", false), true);
  EXPECT_EQ(rig.lab.status()["mode"], "fault");
}

TEST(RigServer, StopIsHeardWhereAllPlacesAreTaken) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<RawClient>(rig.socket()));
  RawClient curious(rig.socket());
  EXPECT_THAT(curious.ask(R"({"do": "status"})").dump(), HasSubstr("only STOP is heard"));
  ASSERT_EQ(rig.lab.status()["mode"], "ready");
  RawClient in_need(rig.socket());
  EXPECT_EQ(in_need.ask(R"({"do": "stop"})").value("ok", false), true);
  EXPECT_EQ(rig.lab.status()["mode"], "fault");
  // Of those who found no place the first were told so.
  EXPECT_THAT(idle[64]->read().dump(), HasSubstr("64 clients are connected already"));
  idle.clear();
  RawClient later(rig.socket());
  json answer;
  while ((answer = later.ask(R"({"do": "ping"})")).value("ok", false) == false)
    later = RawClient(rig.socket());
}

TEST(RigServer, WishesForARunAreRefusedWhileNothingIsRecorded) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  RawClient client(rig.socket());
  for (const char* wish : {"pause", "resume", "skip", "repeat", "undo", "finish"})
    EXPECT_THAT(client.ask(fmt::format(R"({{"do": "{}"}})", wish)).dump(),
                HasSubstr(fmt::format("{}: nothing is being recorded", wish)));
  EXPECT_EQ(rig.lab.status()["paused"], false);
}

TEST(RigServer, AClientThatReadsNothingHoldsUpNobody) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  const RawClient deaf(rig.socket());
  std::string much;
  for (int i = 0; i < 2000; ++i) much += "{\"do\": \"status\"}\n";  // 2 MB of answers
  ASSERT_TRUE(deaf.send(much));
  RawClient other(rig.socket());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(other.ask(R"({"do": "status"})").value("ok", false), true);
  rig.stop();  // which waits for every client's thread
}

TEST(RigServer, AQuestionToAClientThatHasGoneEndsItsTask) {
  ServedRig rig;
  rig.lab.hands = false;
  auto document = json::parse(virtual_bench_rig().document);
  document["surface"] = {{"z0_mm", 0}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
  rig.lab.rig = *parse_rig(document.dump(), "rig");
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  {
    RawClient client(rig.socket());
    ASSERT_EQ(client.ask(R"({"do": "surface", "set_up": true})").value("ok", false), true);
    json news = client.read();
    while (news.is_object() && news.value("news", "") == "progress") news = client.read();
    ASSERT_EQ(news.value("news", ""), "question") << news.dump();
  }
  rig.stop();  // which waits for the task
  EXPECT_FALSE(rig.lab.service->busy());
}

TEST(RigServer, WhatNobodyForesawStopsTheRigAndIsExplained) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  std::promise<json> over;
  auto said = over.get_future();
  lab.service->handle({{"do", "home"}}, 1, [&](const json& news) {
    if (news["news"] == "progress") throw std::runtime_error("a bolt from the blue");
    over.set_value(news);
  });
  const auto end = said.get();
  EXPECT_EQ(end["news"], "failed");
  EXPECT_THAT(end["error"]["text"].get<std::string>(),
              AllOf(HasSubstr("unforeseen"), HasSubstr("a bolt from the blue")));
  EXPECT_EQ(lab.status()["mode"], "fault");
  EXPECT_THAT(lab.status()["trip"].get<std::string>(), HasSubstr("a bolt from the blue"));
  lab.ask({{"do", "acknowledge"}});
  EXPECT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
}

TEST(RigServer, WhatNobodyForesawInARunEndsItsRecordingInOrder) {
  ServedRig rig;
  ASSERT_NO_FATAL_FAILURE(rig.start(1, kSpeed));
  auto& lab = rig.lab;
  const auto file = rig.folder.path() / "one.tact";
  std::promise<json> over;
  auto said = over.get_future();
  bool thrown = false;
  const auto begun =
      lab.service->handle({{"do", "record"},
                           {"set_up", true},
                           {"protocol", json::parse(kOnePress)},
                           {"file", file.string()}},
                          1, [&](const json& news) {
                            if (news["news"] == "press" && !std::exchange(thrown, true))
                              throw std::runtime_error("a bolt from the blue");
                            if (news["news"] == "failed") over.set_value(news);
                          });
  ASSERT_TRUE(begun.contains("ok")) << begun.dump();
  EXPECT_THAT(said.get()["error"]["text"].get<std::string>(), HasSubstr("a bolt from the blue"));
  EXPECT_EQ(lab.status()["mode"], "fault");
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->finished());
  EXPECT_TRUE(presses(session->events(), {}, session->metadata()));
}

}  // namespace
}  // namespace tactelier::rig

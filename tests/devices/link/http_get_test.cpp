#include "devices/link/http_get.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// Says one thing to whoever asks, then closes.
class ScriptedServer final : public Emulator {
 public:
  explicit ScriptedServer(std::string answer) : answer_(std::move(answer)) {}
  void receive(ByteView bytes, int peer, std::int64_t now_ns) override {
    request_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    wire_.send(now_ns, Bytes(answer_.begin(), answer_.end()), peer, true);
  }
  void run_until(std::int64_t) override {}
  std::int64_t next_ns() const override { return wire_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  bool hung_up(std::int64_t) override { return false; }
  const std::string& request() const { return request_; }

 private:
  std::string answer_, request_;
  EmulatedWire wire_;
};

Result<std::string> ask(const std::string& answer, std::string* request = nullptr) {
  ScriptedServer server(answer);
  SimulatedWorld world;
  world.add("tcp:box:8080", server, false);
  auto got = http_get(world.connector(), "http://box:8080", "/page?x=1", Timeout(100), 1000);
  if (request != nullptr) *request = server.request();
  return got;
}

TEST(HttpGet, AsksForOnePageAndGivesItsBody) {
  std::string request;
  const auto body = ask("HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\n\r\nhello", &request);
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_EQ(*body, "hello");
  EXPECT_TRUE(request.starts_with("GET /page?x=1 HTTP/1.0\r\nHost: box:8080\r\n"));
  EXPECT_TRUE(request.ends_with("\r\n\r\n"));
}

TEST(HttpGet, TakesABodyThatEndsWithTheConnection) {
  EXPECT_EQ(*ask("HTTP/1.0 200 OK\r\n\r\nall of it"), "all of it");
}

TEST(HttpGet, SaysWhatIsWrongWithAnAnswer) {
  EXPECT_THAT(ask("HTTP/1.0 404 Not Found\r\n\r\n").error().message, HasSubstr("404 Not Found"));
  EXPECT_THAT(ask("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nhalf").error().message,
              HasSubstr("4 of 9 bytes"));
  EXPECT_THAT(ask("SSH-2.0-OpenSSH").error().message, HasSubstr("no HTTP"));
  EXPECT_EQ(ask("HTTP/1.0 200 OK\r\n\r\n" + std::string(20000, 'x')).error().code,
            ErrorCode::kProtocol);
  EXPECT_EQ(ask("").error().code, ErrorCode::kIo);
}

RC_GTEST_PROP(HttpGet, SurvivesAnyAnswer, (const std::string& text)) {
  for (const auto* start : {"", "HTTP/1.0 200 OK\r\nContent-Length: ", "HTTP/1.0 200 OK\r\n\r\n"})
    ask(start + text);
}

}  // namespace
}  // namespace tactelier::devices

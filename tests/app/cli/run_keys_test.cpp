#include "app/cli/run_keys.hpp"

#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace tactelier::cli {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// A terminal with somebody at it, and a rig process that takes everything.
class RunKeysTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::openpty(&person_, &terminal_, nullptr, nullptr, nullptr), 0);
  }
  void TearDown() override {
    ::close(person_);
    ::close(terminal_);
  }
  void type(std::string_view keys) const {
    ASSERT_EQ(::write(person_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  tcflag_t line_flags() const {
    termios now{};
    EXPECT_EQ(::tcgetattr(terminal_, &now), 0);
    return now.c_lflag & static_cast<tcflag_t>(ICANON | ECHO);
  }
  void look(RunKeys& keys) {
    keys.look([this](const json& request) -> Result<json> {
      const auto name = request["do"].get<std::string>();
      if (name == "status") return json{{"paused", paused_}};
      asked_.push_back(request.value("text", name));
      if (!refusal_.empty()) return fail(ErrorCode::kUsage, "{}", refusal_);
      if (name == "pause" || name == "resume") paused_ = name == "pause";
      return json{{"ok", true}};
    });
  }
  RunKeys keys() {
    return RunKeys(terminal_, {}, [this](std::string_view words) { said_ += words; });
  }

  int person_ = -1, terminal_ = -1;
  bool paused_ = false;
  std::string refusal_, said_;
  std::vector<std::string> asked_;
};

TEST_F(RunKeysTest, EachKeyAsksForWhatItStandsFor) {
  auto keys = this->keys();
  type("psru\x1bp");
  look(keys);
  EXPECT_THAT(asked_, ElementsAre("pause", "skip", "repeat", "undo", "stop", "resume"));
}

TEST_F(RunKeysTest, NothingIsWaitedFor) {
  auto keys = this->keys();
  look(keys);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(RunKeysTest, ANoteIsTypedAsALine) {
  auto keys = this->keys();
  type("nthe lamp was on\np");
  look(keys);
  EXPECT_THAT(asked_, ElementsAre("the lamp was on", "pause"));
}

TEST_F(RunKeysTest, AnotherKeySaysWhichThereAre) {
  auto keys = this->keys();
  type("x\n");
  look(keys);
  EXPECT_TRUE(asked_.empty());
  EXPECT_THAT(said_, HasSubstr("p pause"));
}

TEST_F(RunKeysTest, ARefusalIsSaid) {
  auto keys = this->keys();
  refusal_ = "skip: nothing is being recorded";
  type("s");
  look(keys);
  EXPECT_THAT(said_, HasSubstr(refusal_));
}

TEST_F(RunKeysTest, TheTerminalIsGivenBackAsItWas) {
  const auto usual = line_flags();
  {
    auto keys = this->keys();
    EXPECT_EQ(line_flags(), 0U);
    keys.line_by_line(true);
    EXPECT_EQ(line_flags(), usual);
    keys.line_by_line(false);
  }
  EXPECT_EQ(line_flags(), usual);
}

TEST(RunKeys, WithoutATerminalThereAreNone) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  RunKeys keys(ends[0], {}, [](std::string_view) {});
  EXPECT_FALSE(keys.there());
  ASSERT_EQ(::write(ends[1], "s", 1), 1);
  keys.look([](const json&) -> Result<json> {
    ADD_FAILURE() << "a pipe holds answers to questions, no keys";
    return json();
  });
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace tactelier::cli

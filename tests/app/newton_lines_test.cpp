#include "app/workflow/newton_lines.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/workflow/datagrams.hpp"
#include "devices/link/descriptor.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier::test {
namespace {

const std::vector<ReadingForce>& five_tactels() {
  static const std::vector<ReadingForce> tactels{{ReadingFlag::kOk, 0.6, 410, 1},
                                                 {ReadingFlag::kBelow, {}, 60, 1},
                                                 {ReadingFlag::kSaturated, 5.485714, 3840, 1},
                                                 {ReadingFlag::kUncalibrated, {}, 0, 0},
                                                 {ReadingFlag::kNoReading, {}, 0, 0}};
  return tactels;
}

TEST(NewtonLines, AreATableWithALetterPerTactel) {
  EXPECT_EQ(newton_header(3, false), "t[s],frame,0[N],1[N],2[N],flags\n");
  EXPECT_EQ(newton_header(1, true), "t[s],frame,0[N],flags,total[N]\n");
  std::string text;
  append_text({12, 0.25, five_tactels(), {}}, false, text);
  append_text({13, 0.27, five_tactels(), 1.5}, true, text);
  append_text({14, 0.29, five_tactels(), {}}, true, text);
  EXPECT_EQ(text,
            "0.250000,12,0.6,,5.48571,,,obsum\n"
            "0.270000,13,0.6,,5.48571,,,obsum,1.5\n"
            "0.290000,14,0.6,,5.48571,,,obsum,\n");
}

TEST(NewtonLines, AreJsonThatKeepsItsSchema) {
  for (const bool total : {false, true}) {
    std::string text;
    append_json({12, 0.25, five_tactels(), {}}, total, text);
    const auto document = parse_json(text, "a line");
    ASSERT_TRUE(document) << text;
    EXPECT_TRUE(check_schema(*document, "live-newtons", "a line")) << text;
    EXPECT_EQ(document->at("force_N"), nlohmann::json({0.6, nullptr, 5.48571, nullptr, nullptr}));
    EXPECT_EQ(document->at("flags"), "obsum");
    EXPECT_EQ(document->contains("total_N"), total);
  }
}

TEST(NewtonLines, AreNeverLongerThanTheySay) {
  const std::vector<ReadingForce> widest(84, {ReadingFlag::kOk, -1.234567e-5, 0, 0});
  const NewtonFrame frame{1'000'000'000'000, 1e9 + 0.123456, widest, -1.234567e-5};
  std::string text, object;
  append_text(frame, true, text);
  append_json(frame, true, object);
  EXPECT_LE(std::max(text.size(), object.size()), longest_line(84));
}

TEST(Datagrams, ArriveOneByOneAndAreSentOnWhenNobodyTakesThem) {
  devices::Descriptor receiver(::socket(AF_INET, SOCK_DGRAM, 0));
  const timeval patience{10, 0};
  ::setsockopt(receiver.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* address = reinterpret_cast<sockaddr*>(&at);
  ASSERT_EQ(::bind(receiver.get(), address, size), 0);
  ASSERT_EQ(::getsockname(receiver.get(), address, &size), 0);
  const auto place = fmt::format("127.0.0.1:{}", ntohs(at.sin_port));
  auto datagrams = Datagrams::to(place);
  ASSERT_TRUE(datagrams) << datagrams.error().message;
  datagrams->send("first\n");
  datagrams->send("second\n");
  std::array<char, 100> bytes{};
  ASSERT_EQ(::recv(receiver.get(), bytes.data(), bytes.size(), 0), 6);
  ASSERT_EQ(::recv(receiver.get(), bytes.data(), bytes.size(), 0), 7);
  EXPECT_EQ(datagrams->refused(), 0);
  receiver = devices::Descriptor();  // gone; the system says so when the next one is sent
  datagrams->send("third\n");
  receiver = devices::Descriptor(::socket(AF_INET, SOCK_DGRAM, 0));
  ::setsockopt(receiver.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ASSERT_EQ(::bind(receiver.get(), address, size), 0);
  datagrams->send("fourth!\n");
  EXPECT_EQ(::recv(receiver.get(), bytes.data(), bytes.size(), 0), 8);
  EXPECT_EQ(datagrams->refused(), 1);
  EXPECT_EQ(datagrams->sent(), 4);
  EXPECT_EQ(Datagrams::to("5005").error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace tactelier::test

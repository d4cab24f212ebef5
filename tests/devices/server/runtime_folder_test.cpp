#include "devices/server/runtime_folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "devices/server/rig_socket.hpp"
#include "tests/devices/support/served_rig.hpp"

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 07777U : 0;
}

void expect_refused(const std::filesystem::path& folder, const char* why) {
  const auto made = make_private(folder);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr(why));
  EXPECT_THAT(made.error().message, HasSubstr("XDG_RUNTIME_DIR"));
  // Neither to serve there nor to be served.
  const auto listening = listen_socket(folder / "rig.sock");
  ASSERT_FALSE(listening);
  EXPECT_THAT(listening.error().message, HasSubstr(why));
  const auto connected = connect_socket(folder / "rig.sock");
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().message, HasSubstr(why));
}

TEST(RuntimeFolder, IsMadeForItsUserAlone) {
  const ShortFolder folder;
  const auto made = folder.path() / "run";
  ASSERT_TRUE(make_private(made));
  EXPECT_EQ(mode_of(made), 0700U);
  EXPECT_TRUE(check_private(folder.path() / "not there"));
}

TEST(RuntimeFolder, ThatOthersMayOnlyReadIsClosedToThem) {
  const ShortFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_TRUE(make_private(folder.path()));
  EXPECT_EQ(mode_of(folder.path()), 0700U);
}

TEST(RuntimeFolder, ThatOthersMayWriteToIsRefused) {
  const ShortFolder folder;
  for (const mode_t mode : {0770U, 0707U, 01777U}) {
    ASSERT_EQ(::chmod(folder.path().c_str(), mode), 0);
    expect_refused(folder.path(), "others may write to it");
    EXPECT_EQ(mode_of(folder.path()), mode) << "nothing is changed";
  }
}

TEST(RuntimeFolder, BehindALinkIsRefusedAndNothingWrittenThroughIt) {
  const ShortFolder folder;
  const auto link = folder.path() / "run", target = folder.path() / "elsewhere";
  std::filesystem::create_directory(target);
  ASSERT_EQ(::chmod(target.c_str(), 0700), 0);
  std::filesystem::create_directory_symlink(target, link);
  expect_refused(link, "is a link");
  EXPECT_TRUE(std::filesystem::is_empty(target));
}

TEST(RuntimeFolder, ThatIsAFileIsRefused) {
  const ShortFolder folder;
  std::ofstream(folder.path() / "run") << "mine";
  expect_refused(folder.path() / "run", "is no folder");
}

TEST(RuntimeFolder, OfSomebodyElseIsRefused) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  constexpr uid_t kSomebody = 65534;
  const ShortFolder folder;
  ASSERT_EQ(::chown(folder.path().c_str(), kSomebody, kSomebody), 0);
  expect_refused(folder.path(), "belongs to user 65534");
}

}  // namespace
}  // namespace tactelier::rig

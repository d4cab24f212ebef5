#include "libcalib/session/session_open.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "libcalib/session/schema.hpp"
#include "libcalib/session/session_file.hpp"

namespace tactelier {
namespace {

constexpr int kMostReplacements = 10;  // of a file that is about to be locked
constexpr std::string_view kMagic("SQLite format 3\0", 16);

/// The first 100 bytes of an SQLite file (sqlite.org/fileformat2.html, section 1.3).
struct Header {
  std::array<unsigned char, 100> bytes{};
  std::size_t size = 0;

  std::uint32_t number(std::size_t at) const {
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
           std::uint32_t{bytes[at + 2]} << 8 | std::uint32_t{bytes[at + 3]};
  }
  std::uint64_t page_bytes() const {
    const unsigned stored = unsigned{bytes[16]} << 8 | unsigned{bytes[17]};
    return stored == 1 ? 65536 : stored;
  }
  /// How long the file says it is; 0 when it doesn't say (fields written by different programs).
  std::uint64_t file_bytes() const {
    return number(24) == number(92) ? page_bytes() * number(28) : 0;
  }
  std::int32_t application_id() const { return static_cast<std::int32_t>(number(68)); }
  std::int32_t format_version() const { return static_cast<std::int32_t>(number(60)); }
};

Result<Header> read_header(const std::filesystem::path& file) {
  const auto name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return fail(ErrorCode::kIo, "{}: there is no such file", name);
  if (std::filesystem::is_directory(status))
    return fail(ErrorCode::kInvalidInput, "{}: is a folder, not a .tact file", name);
  std::ifstream input(file, std::ios::binary);
  if (!input)
    return fail(ErrorCode::kIo, "{}: cannot open it: {}", name,
                std::generic_category().message(errno));
  Header header;
  input.read(reinterpret_cast<char*>(header.bytes.data()), header.bytes.size());
  header.size = static_cast<std::size_t>(input.gcount());
  return header;
}

Result<Header> checked_header(const std::filesystem::path& file) {
  const auto header = read_header(file);
  if (!header) return header;
  const auto name = file.string();
  if (header->size == 0)
    return fail(ErrorCode::kInvalidInput, "{}: the file is empty (0 bytes); nothing was recorded",
                name);
  const std::string_view begin(reinterpret_cast<const char*>(header->bytes.data()),
                               std::min(header->size, kMagic.size()));
  if (begin != kMagic.substr(0, begin.size()))
    return fail(ErrorCode::kInvalidInput,
                "{}: not a session (.tact): it does not begin like an SQLite file; a folder or a "
                "table is imported first, see 'tactelier import --help'",
                name);
  if (header->size < header->bytes.size())
    return fail(ErrorCode::kDamaged, "{}: truncated: only its first {} bytes are left", name,
                header->size);
  if (header->application_id() != kApplicationId)
    return fail(ErrorCode::kInvalidInput,
                "{}: an SQLite file of another program (application id {:#010x}), not a session",
                name, static_cast<std::uint32_t>(header->application_id()));
  if (header->format_version() > kCompactedVersion)
    return fail(ErrorCode::kInvalidInput,
                "{}: written by a newer version of this program (session format {}, this one "
                "reads {}); update it to read the file",
                name, header->format_version(), kCompactedVersion);
  if (header->format_version() < kRecordedVersion)
    return fail(ErrorCode::kDamaged, "{}: impossible session format {}", name,
                header->format_version());
  return header;
}

bool writable(const std::filesystem::path& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

Result<Database> open_as(const std::filesystem::path& file, Database::Access access,
                         bool truncated) {
  auto database = Database::open(file, access);
  if (!database) return database;
  // SQLite refuses a file that is shorter than it says, unless it is told to salvage.
  if (truncated)
    if (auto done = database->execute("PRAGMA writable_schema=ON"); !done)
      return fail(done.error());
  if (auto sane = check_tables(*database); !sane) return fail(sane.error());
  return database;
}

/// Somebody died while adding edits: SQLite undoes the half-done change as soon as it may write.
bool undo_half_done_edits(const std::filesystem::path& file) {
  if (size_of(beside(file, "-journal")) == 0) return false;
  return open_as(file, Database::Access::kWrite, false).has_value();
}

/// SQLite wants to put a -shm beside a file in WAL mode. Where it may not write one, such a file
/// is read without: as it stands when there is no -wal, else with nobody else allowed in.
Result<Database> open_anyhow(const std::filesystem::path& file, bool has_wal, bool truncated) {
  auto database = open_as(file, Database::Access::kRead, truncated);
  if (database || database.error().code != ErrorCode::kIo) return database;
  if (undo_half_done_edits(file)) return open_as(file, Database::Access::kRead, truncated);
  if (writable(file) && writable(std::filesystem::absolute(file).parent_path())) return database;
  auto alone =
      open_as(file, has_wal ? Database::Access::kAlone : Database::Access::kImmutable, truncated);
  return alone ? std::move(alone) : std::move(database);
}

}  // namespace

Result<OpenedSession> lock_session_file(const std::filesystem::path& file) {
  for (int attempt = 0; attempt < kMostReplacements; ++attempt) {
    if (const auto header = checked_header(file); !header) return fail(header.error());
    const auto before = identity(file);
    if (!before) return fail(before.error());
    auto database = Database::open(file, Database::Access::kWrite);
    if (!database) return fail(database.error());
    auto locked = database->execute("PRAGMA synchronous=FULL")
                      .and_then([&] { return check_tables(*database); })
                      .and_then([&] { return database->execute("BEGIN IMMEDIATE"); });
    if (!locked && locked.error().code == ErrorCode::kDamaged)
      return fail(ErrorCode::kDamaged,
                  "{}: damaged ({}), so nothing was changed; 'tactelier info' says what can still "
                  "be read",
                  file.string(), locked.error().message);
    if (!locked) return fail(locked.error());
    if (const auto now = identity(file); now && *now == *before)
      return OpenedSession{std::move(*database), "", size_of(file)};
  }
  return fail(ErrorCode::kIo, "{}: is replaced again and again by another program; try again later",
              file.string());
}

Result<OpenedSession> open_session_file(const std::filesystem::path& file) {
  const auto header = checked_header(file);
  if (!header) return fail(header.error());
  const auto bytes = size_of(file);
  const auto wal_bytes = size_of(beside(file, "-wal"));
  std::string truncated;
  if (wal_bytes == 0 && header->file_bytes() > bytes)
    truncated =
        fmt::format("the file is truncated: {} of {} bytes are left", bytes, header->file_bytes());
  auto database = open_anyhow(file, wal_bytes != 0, !truncated.empty());
  if (database) return OpenedSession{std::move(*database), truncated, bytes + wal_bytes};
  if (database.error().code != ErrorCode::kDamaged) return fail(database.error());
  return fail(ErrorCode::kDamaged, "{}: {}, and its tables cannot be read; restore it from a copy",
              file.string(), truncated.empty() ? "the file is damaged" : truncated);
}

}  // namespace tactelier

#include "libcalib/session/edits.hpp"

#include <fmt/chrono.h>
#include <pwd.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "libcalib/session/schema.hpp"
#include "libcalib/session/schema_rows.hpp"
#include "libcalib/session/session_open.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {
namespace {

std::string now_utc() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

/// TACTELIER_AUTHOR where somebody set it, else the login name.
std::string author_name() {
  for (const char* variable : {"TACTELIER_AUTHOR", "USER", "LOGNAME"})
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  const auto* user = ::getpwuid(::getuid());
  return user != nullptr ? user->pw_name : fmt::format("user {}", ::getuid());
}

Result<void> check_edit(const Edit& edit) {
  if (edit.kind == Edit::Kind::kContact && std::isinf(edit.contact_s))
    return fail(ErrorCode::kInvalidInput, "contact point of press {}: {} s is no time", edit.press,
                edit.contact_s);
  if (edit.kind == Edit::Kind::kNote && edit.note.empty())
    return fail(ErrorCode::kInvalidInput, "the note is empty");
  return {};
}

Result<std::int64_t> edits_so_far(const Database& database) {
  auto statement = database.prepare("SELECT rows, chunks, checksum FROM tally WHERE id = ?");
  if (!statement) return fail(statement.error());
  statement->bind(1, kEditTally);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  const auto rows = *row ? statement->integer(0) : std::nullopt;
  const auto chunks = *row ? statement->integer(1) : std::nullopt;
  if (!rows || !chunks || statement->integer(2) != tally_checksum(kEditTally, *rows, *chunks))
    return fail(ErrorCode::kDamaged,
                "{}: the list of edits is damaged; nothing was added, restore the file from a copy",
                database.file().string());
  return *rows;
}

Result<void> insert_edit(Statement& insert, std::int64_t id, const Edit& edit) {
  insert.bind(1, id);
  insert.bind(2, std::string_view(edit.time));
  insert.bind(3, std::string_view(edit.author));
  insert.bind(4, edit_kind_name(edit.kind));
  insert.bind(5, std::int64_t{edit.press});
  insert.bind(6, edit.contact_s);
  insert.bind(7, std::string_view(edit.note));
  insert.bind(8, edit_checksum(id, edit));
  return insert.run();
}

Result<void> set_tally(const Database& database, std::int64_t rows) {
  auto update = database.prepare("UPDATE tally SET rows = ?, checksum = ? WHERE id = ?");
  if (!update) return fail(update.error());
  update->bind(1, rows);
  update->bind(2, tally_checksum(kEditTally, rows, 0));
  update->bind(3, kEditTally);
  return update->run();
}

}  // namespace

Result<void> insert_edits(const Database& database, std::vector<Edit> edits) {
  for (const auto& edit : edits)
    if (auto sane = check_edit(edit); !sane) return sane;
  auto count = edits_so_far(database);
  if (!count) return fail(count.error());
  auto insert = database.prepare("INSERT INTO edits VALUES(?,?,?,?,?,?,?,?)");
  if (!insert) return fail(insert.error());
  for (auto& edit : edits) {
    edit.time = now_utc();
    edit.author = author_name();
    if (auto done = insert_edit(*insert, ++*count, edit); !done) return done;
  }
  return set_tally(database, *count);
}

Result<void> add_edits(const std::filesystem::path& file, std::vector<Edit> edits) {
  auto locked = lock_session_file(file);
  if (!locked) return fail(locked.error());
  return insert_edits(locked->database, std::move(edits)).and_then([&] {
    return locked->database.execute("COMMIT");
  });
}

}  // namespace tactelier

#include "app/workflow/edit_session.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/session/session.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {
namespace {

Result<void> check_edit(const Edit& edit, std::span<const Press> all, const std::string& file) {
  if (edit.kind == Edit::Kind::kNote) return {};
  const auto press =
      std::find_if(all.begin(), all.end(), [&](const Press& p) { return p.number == edit.press; });
  if (press == all.end())
    return fail(ErrorCode::kInvalidInput, "{}: there is no press {}; it holds {} presses{}", file,
                edit.press, all.size(),
                all.empty()
                    ? std::string()
                    : fmt::format(", numbered {} to {}", all.front().number, all.back().number));
  if (edit.kind == Edit::Kind::kContact && !std::isnan(edit.contact_s) &&
      !(edit.contact_s >= press->begin_s && edit.contact_s <= press->end_s))
    return fail(ErrorCode::kInvalidInput,
                "{}: contact at {} s is outside press {}, which lasts from {} s to {} s", file,
                edit.contact_s, edit.press, press->begin_s, press->end_s);
  return {};
}

}  // namespace

Result<std::vector<Edit>> edit_session(const std::filesystem::path& file, std::vector<Edit> edits) {
  const auto name = file.filename().string();
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return fail(ErrorCode::kUsage,
                "'{}' is a folder; edits live in a .tact: import it first (tactelier import)",
                file.string());
  {
    const auto session = Session::open(file);
    if (!session) return fail(session.error());
    const auto all = presses(session->events(), session->edits(), session->metadata());
    if (!all) return fail(all.error(), name);
    for (const auto& edit : edits)
      if (auto ok = check_edit(edit, *all, name); !ok) return fail(ok.error());
  }
  if (auto added = add_edits(file, std::move(edits)); !added) return fail(added.error());
  const auto session = Session::open(file);
  if (!session) return fail(session.error());
  return session->edits();
}

}  // namespace tactelier

#include "devices/server/rig_file_store.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "libcalib/text_file.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kFound{"/compliance_um_per_N", "/compliance_date",
                                                 "/plate_mm", "/stage/backlash_um/z"};

Result<void> check_found(const json& found) {
  const auto flat = found.flatten();
  for (const auto& [key, value] : flat.items())
    if (std::none_of(kFound.begin(), kFound.end(),
                     [&](std::string_view one) { return key.starts_with(one); }))
      return fail(ErrorCode::kUsage, "keep: '{}' is nothing that a set-up run finds", key);
  return {};
}

}  // namespace

Result<void> RigFileStore::change(const json& changes) {
  auto changed_document = document();
  changed_document.update(changes);
  auto changed = parse_rig(changed_document.dump(), "rig");
  if (!changed) return fail(changed.error());
  rig_ = std::move(*changed);
  if (file_.empty()) return {};
  return write_text_file(file_, changed_document.dump(2) + "\n");
}

Result<void> RigFileStore::keep(json found) {
  if (auto known = check_found(found); !known) return known;
  if (found.contains("stage")) {
    auto stage = document()["stage"];
    stage.update(found["stage"], /*merge_objects=*/true);
    found["stage"] = std::move(stage);
  }
  return change(found);
}

}  // namespace tactelier::rig

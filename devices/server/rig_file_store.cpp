#include "devices/server/rig_file_store.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "libcalib/readable_json.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::array<std::string_view, 8> kFound{
    "/compliance_um_per_N", "/compliance_date", "/plate_mm",         "/ground_mm/",
    "/stage/backlash_um/z", "/surface/",        "/stage_to_sensor/", "/set_up_left_out"};

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
  changed->surface_known |= rig_.surface_known;
  rig_ = std::move(*changed);
  if (file_.empty()) return {};
  return write(changes);
}

/// Into the file as it is on the disk: what somebody wrote there meanwhile stays, and the order.
Result<void> RigFileStore::write(const json& changes) {
  const auto text = read_text_file(file_, kMaxBytes);
  if (!text) return fail(text.error());
  auto on_disk = nlohmann::ordered_json::parse(*text, nullptr, false);
  if (on_disk.is_discarded() || !on_disk.is_object())
    return fail(ErrorCode::kInvalidInput,
                "{}: is no JSON object any more; what was found is not written: {}", file_.string(),
                changes.dump());
  if (!kept_as_it_was_) {
    if (auto kept = write_text_file(file_.string() + ".bak", *text); !kept) return kept;
    kept_as_it_was_ = true;
  }
  for (const auto& [key, value] : changes.items())
    if (key == "stage" && on_disk.contains(key))
      on_disk[key].update(value, /*merge_objects=*/true);
    else
      on_disk[key] = value;
  return write_text_file(file_, readable_json(on_disk));
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

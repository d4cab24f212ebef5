#include "libcalib/session/stated_rest.hpp"

#include "libcalib/session/json_get.hpp"

namespace tactelier {

std::vector<double> stated_rest(const SessionMetadata& metadata) {
  if (!metadata.imported) return {};
  const auto document = nlohmann::json::parse(metadata.document);
  const auto* imported = get_member(document, "imported");
  const auto* reads = imported != nullptr ? get_member(*imported, "rest_reads") : nullptr;
  if (reads == nullptr) return {};
  const auto tactels = static_cast<std::size_t>(metadata.sensor.tactels());
  if (reads->is_number()) return std::vector<double>(tactels, reads->get<double>());
  return reads->get<std::vector<double>>();
}

}  // namespace tactelier

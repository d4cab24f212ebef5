#include "libcalib/parameter.hpp"

#include <utility>

namespace tactelier {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> kNames{{
    {Status::kIdentified, "identified"},
    {Status::kAssumed, "assumed"},
    {Status::kPredicted, "predicted"},
    {Status::kNotSeen, "not_seen"},
    {Status::kUnidentifiable, "unidentifiable"},
}};

}  // namespace

Parameter unidentifiable(std::string unit, std::string reason, std::string from) {
  Parameter parameter;
  parameter.unit = std::move(unit);
  parameter.reason = std::move(reason);
  parameter.from = std::move(from);
  return parameter;
}

Parameter assumed(double value, std::string unit, std::string from) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = std::move(unit);
  parameter.status = Status::kAssumed;
  parameter.from = std::move(from);
  return parameter;
}

std::string_view to_string(Status status) {
  for (const auto& [value, name] : kNames)
    if (value == status) return name;
  return {};
}

std::optional<Status> status_from(std::string_view text) {
  for (const auto& [value, name] : kNames)
    if (name == text) return value;
  return std::nullopt;
}

}  // namespace tactelier

#include "app/workflow/utc_day.hpp"

#include <chrono>

#include "devices/acquisition/session_document.hpp"

namespace tactelier {

std::optional<double> day_of(const std::string& utc) {
  const auto time = rig::time_of_utc(utc);
  if (!time) return std::nullopt;
  return std::chrono::duration<double>(time->time_since_epoch()).count() / 86400;
}

}  // namespace tactelier

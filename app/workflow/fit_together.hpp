#pragma once
// Whether recordings may go into one fit: of one sensor only, and whoever can't be sure is told.

#include <span>
#include <string>
#include <vector>

#include "app/workflow/open_session.hpp"

namespace tactelier {

struct FitCompany {
  std::string refusal;  // why they can't be fitted together; empty when they can
  std::string doubt;    // what must be taken on trust; empty when nothing must
};

/// `a`, `b`: names for the words.
FitCompany fit_company(const SessionMetadata& a, const std::string& name_a,
                       const SessionMetadata& b, const std::string& name_b);

/// One per session that names no serial number beside one that does.
Warnings serial_warnings(std::span<const OpenSession> sessions);

}  // namespace tactelier

#include "app/workflow/command_line_program.hpp"

#include <system_error>

namespace tactelier {

std::filesystem::path command_line_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = self.parent_path();
  for (const auto& place : {folder / "tactelier", folder.parent_path() / "tactelier"})
    if (std::filesystem::is_regular_file(place, error)) return place;
  return self;
}

}  // namespace tactelier

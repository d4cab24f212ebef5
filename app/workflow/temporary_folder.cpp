#include "app/workflow/temporary_folder.hpp"

#include <stdlib.h>  // mkdtemp

#include <cerrno>
#include <system_error>
#include <utility>

namespace tactelier {

Result<std::shared_ptr<TemporaryFolder>> TemporaryFolder::create() {
  std::error_code error;
  const auto base = std::filesystem::temp_directory_path(error);
  if (error) return fail(ErrorCode::kIo, "no temporary folder: {}", error.message());
  std::string pattern = (base / "tactelier-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    return fail(ErrorCode::kIo, "cannot make a temporary folder in '{}': {}", base.string(),
                std::generic_category().message(errno));
  return std::shared_ptr<TemporaryFolder>(new TemporaryFolder(pattern));
}

TemporaryFolder::TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tactelier

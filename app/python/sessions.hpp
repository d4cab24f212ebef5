#pragma once
// Recordings as Python sees them (docs/python.md).

#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "app/workflow/open_session.hpp"

namespace tactelier::python {

/// Open until close() and as long as a stream of it is in use.
class PySession {
 public:
  PySession(OpenSession opened, std::filesystem::path path)
      : opened_(std::make_shared<const OpenSession>(std::move(opened))), path_(std::move(path)) {}

  /// Raises when it is closed.
  std::shared_ptr<const OpenSession> opened() const;
  const Session& session() const { return opened()->session(); }
  void close() { opened_.reset(); }
  const std::filesystem::path& path() const { return path_; }
  /// Whoever reads shares it; who asks for damage has it alone.
  std::shared_mutex& reading() const { return reading_; }

 private:
  std::shared_ptr<const OpenSession> opened_;
  std::filesystem::path path_;
  mutable std::shared_mutex reading_;
};

using SessionClass = pybind11::class_<PySession, std::shared_ptr<PySession>>;

/// A path, or an open Session: where the library finds it.
std::filesystem::path session_path(const pybind11::handle& session);
/// One of these, or several.
std::vector<std::filesystem::path> session_paths(const pybind11::handle& sessions);

void add_sessions(pybind11::module_& module);

}  // namespace tactelier::python

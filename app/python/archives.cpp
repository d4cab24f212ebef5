// pack(), verify_pack(), repack(): recordings and models that are kept, or handed on.

#include "app/python/archives.hpp"

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/pack/pack.hpp"
#include "libcalib/session/compaction.hpp"

namespace tactelier::python {
namespace {

py::dict pack_to(const py::object& model, const py::object& sessions, const py::object& path,
                 const py::object& files, bool overwrite, const py::object& progress) {
  const PackRequest request{path_of(model), session_paths(sessions), session_paths(files),
                            path_of(path), overwrite};
  may_write(request.target, overwrite);
  const auto packed =
      run_job<PackOutcome>([&](const Job& job) { return pack(request, job); }, progress);
  const auto members = list_of(packed.files, [](const PackedFile& file) {
    return py::dict("name"_a = file.name, "role"_a = file.role, "bytes"_a = file.bytes,
                    "sha256"_a = file.sha256);
  });
  return py::dict("file"_a = request.target.string(), "bytes"_a = packed.bytes, "files"_a = members,
                  "warnings"_a = list_of(packed.warnings));
}

py::dict verified_pack(const py::object& archive, const py::object& progress) {
  const auto file = path_of(archive);
  const auto rerun =
      run_job<RerunOutcome>([&](const Job& job) { return verify_pack(file, job); }, progress);
  const auto differences = list_of(rerun.differences, [](const RerunDifference& one) {
    return py::dict("path"_a = one.path, "packed"_a = one.packed, "rerun"_a = one.rerun,
                    "sigmas"_a = one.sigmas);
  });
  return py::dict("same"_a = rerun.same(), "differences"_a = differences,
                  "numbers"_a = rerun.numbers, "files"_a = rerun.files,
                  "packed_by"_a = rerun.packed_by, "rerun_by"_a = rerun.rerun_by);
}

py::dict repack(const py::object& path, const py::object& progress) {
  const auto file = session_path(path);
  const auto done =
      run_job<Compaction>([&](const Job& job) { return compact(file, job); }, progress);
  return py::dict("changed"_a = done.changed, "bytes_before"_a = done.bytes_before,
                  "bytes_after"_a = done.bytes_after, "chunks_before"_a = done.chunks_before,
                  "chunks_after"_a = done.chunks_after);
}

constexpr const char* kPackHelp =
    "Puts a model with all that it was made from into one archive, which a colleague reruns to the "
    "same numbers,\nas `tactelier pack` (docs/reports.md).\n\n"
    "model: its file. sessions: all recordings of the fit, in any order, and further ones. path: "
    "the archive, .zip.\nfiles: others that belong to it, a protocol or a rig file.\n\n"
    "Returns a dict of file, bytes, files (dicts of name, role, bytes and sha256) and warnings. "
    "Raises Error where\na recording of the fit is missing: nobody could rerun it.";

constexpr const char* kVerifyPackHelp =
    "Checks each file of an archive, fits its recordings again and compares all numbers, as\n"
    "`tactelier pack --verify`.\n\n"
    "Returns a dict of same (no number moved by more than a hundredth of its standard error), "
    "differences (dicts of\npath, packed, rerun and sigmas; any at all, the largest first), "
    "numbers, files, packed_by and rerun_by.\nRaises Error ('damaged') naming a file that is "
    "another.";

constexpr const char* kRepackHelp =
    "Makes a .tact file smaller and faster to read, as `tactelier repack`; values, events, edits "
    "and content hash stay.\n\n"
    "Returns a dict of changed (False: nothing to gain), bytes_before, bytes_after, chunks_before "
    "and chunks_after.\nRaises Error on a recording that is not closed, or damaged; it is left as "
    "it was.";

}  // namespace

void add_archives(py::module_& module) {
  module.def("pack", &pack_to, py::arg("model"), py::arg("sessions"), py::arg("path"),
             py::kw_only(), py::arg("files") = py::tuple(), py::arg("overwrite") = false,
             py::arg("progress") = py::none(), kPackHelp);
  module.def("verify_pack", &verified_pack, py::arg("archive"), py::kw_only(),
             py::arg("progress") = py::none(), kVerifyPackHelp);
  module.def("repack", &repack, py::arg("session"), py::kw_only(), py::arg("progress") = py::none(),
             kRepackHelp);
}

}  // namespace tactelier::python

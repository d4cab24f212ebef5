// Model.simulate_batch(), Model.join_shards(): the images of a whole table of presses.

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/join_shards.hpp"

namespace tactelier::python {
namespace {

/// The table's presses, and how they are predicted.
struct GivenBatch {
  py::object table, path, indenter;
  std::string method;
  bool counts = false;
  std::optional<std::uint64_t> seed;
  bool overwrite = false;
};

BatchRequest batch_request(const PyModel& self, const GivenBatch& given) {
  BatchRequest request;
  request.model = self.name.empty() ? "the model" : self.name;
  request.table = path_of(given.table);
  request.output = path_of(given.path);
  if (!given.indenter.is_none()) request.indenter = json_or_file(given.indenter);
  request.method = given.method;
  request.counts = given.counts;
  request.seed = given.seed;
  request.overwrite = given.overwrite;
  if (request.seed && !request.counts)
    raise({ErrorCode::kUsage, "seed: of noisy readings, with counts=True"});
  return request;
}

Shard shard_of(std::size_t number, std::size_t of) {
  if (number < 1 || number > of)
    raise({ErrorCode::kUsage,
           fmt::format("shard=({}, {}): (i, n) with 1 <= i <= n, as in (3, 10)", number, of)});
  return {number, of};
}

py::dict batch_dict(const BatchOutcome& made) {
  return py::dict("images"_a = made.images.string(), "poses"_a = made.poses.string(),
                  "unit"_a = made.unit, "model_sha256"_a = made.model_sha256,
                  "first_row"_a = made.first, "count"_a = made.count,
                  "done_before"_a = made.done_before, "warnings"_a = list_of(made.warnings));
}

py::dict simulated_batch(const PyModel& self, BatchRequest request, const py::object& progress) {
  return batch_dict(run_job<BatchOutcome>(
      [&](const Job& job) { return simulate_batch(self.model, request, job); }, progress));
}

py::dict joined_shards(const PyModel& self, const GivenBatch& given, int shards,
                       const py::object& progress) {
  const auto request = batch_request(self, given);
  if (shards < 1 || shards > 100'000)  // as the command line
    raise({ErrorCode::kUsage, fmt::format("shards={}: between 1 and 100000", shards)});
  return batch_dict(run_job<BatchOutcome>(
      [&](const Job& job) { return join_shards(self.model, request, shards, job); }, progress));
}

constexpr const char* kBatchHelp =
    "The images of a whole table of presses, as `tactelier simulate --batch`.\n\n"
    "table: CSV with the columns x_mm, y_mm, rz_deg, tilt_x_deg, tilt_y_deg, one of force_N, "
    "mass_g and depth_mm, and\nindenter. path: FILE.npz, for numpy.load(); poses stand beside it "
    "as .csv.\n"
    "indenter: of a table without that column. method, counts, seed: as for forward(); each row's "
    "noise has a seed\nof its own.\n"
    "shard: (i, n), part i of n of the table, which writes FILE-i-of-n.npz; join_shards() puts "
    "them together.\nthreads: 0, as many as the machine has.\n\n"
    "What is done already is left: the same call goes on where one was stopped. Returns a dict of "
    "images, poses, unit,\nmodel_sha256, first_row, count, done_before and warnings. Raises Error "
    "naming the line of a press that can't be\npredicted (then nothing is written), and where a "
    "file is there that other inputs made.";

constexpr const char* kJoinHelp =
    "All shards of a batch, once they are there, as the one file that the table makes alone, as\n"
    "`tactelier simulate --batch --join`. Arguments and dict as of simulate_batch().\n\n"
    "Raises Error naming the shards that are missing, or made of other inputs.";

}  // namespace

void add_batches(ModelClass& model) {
  model.def(
      "simulate_batch",
      [](const PyModel& self, const py::object& table, const py::object& path,
         const py::object& indenter, std::string method, bool counts,
         std::optional<std::uint64_t> seed,
         std::optional<std::pair<std::size_t, std::size_t>> shard, int threads, bool overwrite,
         const py::object& progress) {
        auto request = batch_request(
            self, {table, path, indenter, std::move(method), counts, seed, overwrite});
        if (threads < 0 || threads > 1024)
          raise({ErrorCode::kUsage, fmt::format("threads={}: between 0 and 1024", threads)});
        request.threads = threads;
        if (shard) request.shard = shard_of(shard->first, shard->second);
        return simulated_batch(self, std::move(request), progress);
      },
      py::arg("table"), py::arg("path"), py::kw_only(), py::arg("indenter") = py::none(),
      py::arg("method") = "psf", py::arg("counts") = false, py::arg("seed") = py::none(),
      py::arg("shard") = py::none(), py::arg("threads") = 0, py::arg("overwrite") = false,
      py::arg("progress") = py::none(), kBatchHelp);
  model.def(
      "join_shards",
      [](const PyModel& self, const py::object& table, const py::object& path, int shards,
         const py::object& indenter, std::string method, bool counts,
         std::optional<std::uint64_t> seed, bool overwrite, const py::object& progress) {
        return joined_shards(self,
                             {table, path, indenter, std::move(method), counts, seed, overwrite},
                             shards, progress);
      },
      py::arg("table"), py::arg("path"), py::arg("shards"), py::kw_only(),
      py::arg("indenter") = py::none(), py::arg("method") = "psf", py::arg("counts") = false,
      py::arg("seed") = py::none(), py::arg("overwrite") = false, py::arg("progress") = py::none(),
      kJoinHelp);
}

}  // namespace tactelier::python

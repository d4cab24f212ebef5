// The module `tactelier._core`; tactelier/__init__.py gives its names to users.

#include <pybind11/pybind11.h>

#include "app/python/archives.hpp"
#include "app/python/errors.hpp"
#include "app/python/fleet.hpp"
#include "app/python/models.hpp"
#include "app/python/recordings.hpp"
#include "app/python/rigs.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace tactelier::python;
  module.attr("__version__") = TACTELIER_VERSION;
  add_error(module);
  add_progress(module);
  add_sessions(module);
  add_recordings(module);
  add_guess(module);
  add_plans(module);
  add_references(module);
  add_parameters(module);
  auto model = add_models(module);
  add_fit(module);
  add_apply(module, model);
  add_forward(module, model);
  add_batches(model);
  add_free_bodies(module, model);
  add_export(module, model);
  add_verify_export(model);
  add_check(module, model);
  add_refresh(module, model);
  add_compare(module, model);
  add_compare_images(module);
  add_report(model);
  add_live(module, model);
  add_archives(module);
  add_bench(module);
  add_devices(module);
  add_rigs(module);
  add_rig_control(module);
  add_rig_newtons(module, model);
  add_fleet_batches(module);
  add_catalogues(module);
  add_station(module);
}

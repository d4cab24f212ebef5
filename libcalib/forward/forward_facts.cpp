#include "libcalib/forward/forward_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"FW-01", "no tactel under the indenter",
     "The indenter stands beside the array, or nothing of it reaches a tactel: no tactel carries "
     "the load. Method soft-contact looks at tactels' centres only, and a thin body fits between "
     "them.",
     "Check the place of the press: sensor frame, millimetres, origin at the array's centre; of "
     "thin bodies ask method psf.",
     kNoRecording},
    {"FW-02", "footprint beside the array",
     "Part of the footprint lies off the array. How much of the load the frame carries there is "
     "not known; the simulation lets the array carry all of it.",
     "Press farther inside, or leave the press out of comparisons of force."},
    {"FW-03", "deeper than the layer",
     "The load needs a depth beyond the layer's thickness, where an elastic foundation means "
     "nothing.",
     "Lower the load, or check thickness and foundation modulus."},
    {"FW-05", "no foundation modulus",
     "How deep a round or tilted contact goes, and so how large it gets, is the foundation "
     "modulus's to say, which the model lacks. Level flat faces under a force need none.",
     "Fit sessions with a plate, dead weights or a ball, or assume stiffness.foundation_modulus.",
     recording("P4")},
    {"FW-06", "load can't be carried",
     "The load presses the indenter, or a body that lies on the sensor, deeper than the pad's "
     "range: twice the layer's thickness, 10 mm where the description states none. By method psf "
     "a level flat face may go ten times as deep by the foundation modulus, since its edges "
     "carry, too.",
     "Lower the load, or check mass, stiffness and the sensor description's thickness_mm.",
     kNoRecording},
    {"FW-07", "pose or load is no number",
     "A pose, a load or a body holds what is no number, or a load or mass that is not positive: "
     "there is nothing to simulate.",
     "Correct the number that the message names.", kNoRecording},
    {"FW-08", "mesh is open",
     "The surface that a mesh file describes has holes: edges that belong to one triangle only, so "
     "that nothing says what is inside.",
     "Close the holes in the program that made it; many can repair a mesh as it is exported.",
     kNoRecording},
    {"FW-09", "mesh encloses nothing",
     "A mesh file holds no triangles, places that are no numbers, or a surface without volume.",
     "Export the indenter as a solid body.", kNoRecording},
    {"FW-10", "method left out",
     "The model lacks what this method needs; the others were compared.",
     "Record and fit what the message names, or leave the method out."},
    {"FW-11", "nothing holds on a slope",
     "The model has no friction, so a body slides off a sloping sensor.",
     "Fit slides, or assume friction.*.", recording("P9")},
    {"FW-12", "undamped pad",
     "The model has no damping.c_n: a body swings until the integrator's own damping has stilled "
     "it. "
     "Where it comes to rest is right, how it gets there is not.",
     "Fit presses at several speeds, or assume damping.c_n.", recording("P5")},
    {"FW-13", "no mesh to read",
     "The mesh file that an indenter names is not there, is neither STL nor OBJ, larger than 256 "
     "MB "
     "or damaged.",
     "Meshes are looked for beside the file that names them: beside the indenter's file or the "
     "recording, else in the current folder. Put it there, or export it anew.",
     kNoRecording},
    {"FW-14", "rim not known",
     "A flat end leans and the model does not say how much its rim carries beside the foundation "
     "under the face. On rubber it sinks and leans into less of the pad than predicted: 4 to 7 % "
     "of the reading at tilts of 1 and 2 degrees, measured on the simulated pad.",
     "Fit presses of a flat round punch beside those of a plate, weights or a ball, or assume "
     "stiffness.k_punch; hold the shape level.",
     recording("P3")},
    {"FW-15", "array not on the fingertip",
     "A corner tactel is farther from the fingertip's surface than one pitch, or the surface hangs "
     "together in parts: no place on it can be told.",
     "Export the surface in the sensor frame, in millimetres, as one piece.", kNoRecording},
});

}  // namespace

const FactTable& forward_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier

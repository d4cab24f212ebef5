// A pad exported for MuJoCo with a roller on it, rendered offscreen (EGL) into a PNG.
//
//   pad_picture PAD.xml DEPTH_MM PICTURE.png
//
// Tactels are coloured by the newtons that their touch sensors show, grey for none to orange for
// the most; PAD.xml is the exported file as it is, the roller is added here. Built by
// scripts/pad-picture.
#include <EGL/egl.h>
#include <mujoco/mujoco.h>
#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 1400, kHeight = 760;
constexpr double kApproach_s = 0.5, kSettle_s = 0.2;

// Feels the tips in the tactels' middles; moves as it is told and minds nothing.
constexpr const char* kRoller = R"(
    <geom type="box" size="0.0115 0.025 0.001" pos="0 0 -0.0058" rgba="0.25 0.27 0.3 1" mass="0"
          contype="0" conaffinity="0"/>
    <body name="roller" pos="0 0 0.005" xyaxes="0.88 -0.47 0 0.47 0.88 0">
      <joint name="roller" type="slide" axis="0 0 1" armature="1e4"/>
      <geom type="cylinder" size="0.005 0.016" zaxis="0 1 0" mass="0.05" rgba="0.45 0.62 0.85 0.28"
            contype="2" conaffinity="1" condim="1" priority="2" friction="0 0 0"
            solref="0.0004 1" solimp="0.9999 0.9999 0.0001 0.5 2"/>
    </body>
  </worldbody>
  <asset><texture type="skybox" builtin="flat" rgb1="1 1 1" rgb2="1 1 1" width="64" height="64"/></asset>
  <visual><headlight ambient="0.35 0.35 0.35" diffuse="0.6 0.6 0.6" specular="0.1 0.1 0.1"/></visual>)";

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "pad_picture: %s\n", why.c_str());
  std::exit(1);
}

std::string scene_of(const char* file) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string end = "</worldbody>", option = "<option ";
  if (text.find(end) == text.npos) stop(std::string(file) + " is no exported pad");
  text.replace(text.find(end), end.size(), kRoller);
  return text.replace(text.find(option), option.size(), "<option gravity=\"0 0 0\" ");
}

mjModel* load(const std::string& scene) {
  char file[] = "/tmp/pad_picture.XXXXXX";
  const int descriptor = mkstemp(file);
  if (descriptor < 0) stop("no scratch file in /tmp");
  close(descriptor);
  std::ofstream(file) << scene;
  char error[1000] = "";
  mjModel* model = mj_loadXML(file, nullptr, error, sizeof error);
  std::remove(file);
  if (model == nullptr) stop(error);
  model->opt.mpr_tolerance = 1e-12;  // cylinders: docs/newtons.md
  model->opt.mpr_iterations = 500;
  return model;
}

/// Without a window.
void make_current() {
  setenv("EGL_PLATFORM", "surfaceless", 0);
  EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) stop("no EGL here");
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_STENCIL_SIZE,
                           8,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_BIT,
                           EGL_NONE};
  EGLConfig config{};
  EGLint count = 0;
  eglChooseConfig(display, wanted, &config, 1, &count);
  if (count < 1) stop("EGL has no OpenGL surface");
  eglBindAPI(EGL_OPENGL_API);
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE)
    stop("EGL makes no context current");
}

/// The wide ball of each tactel shows its force.
double colour_by_force(mjModel* model, const mjData* data) {
  const double most_N = *std::max_element(data->sensordata, data->sensordata + model->nsensordata);
  for (int i = 0; i < model->nsensor; ++i) {
    const std::string name = mj_id2name(model, mjOBJ_SENSOR, i);
    const int geom = mj_name2id(model, mjOBJ_GEOM, (name + "_wide").c_str());
    if (geom < 0) continue;
    const auto share = static_cast<float>(data->sensordata[model->sensor_adr[i]] / most_N);
    const float none[] = {0.80F, 0.80F, 0.80F}, most[] = {0.89F, 0.37F, 0.05F};
    for (int k = 0; k < 3; ++k)
      model->geom_rgba[4 * geom + k] = none[k] + share * (most[k] - none[k]);
  }
  return most_N;
}

void write_png(const char* file, const std::vector<unsigned char>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = kWidth;
  image.height = kHeight;
  image.format = PNG_FORMAT_RGB;
  // OpenGL's first row is the lowest.
  if (png_image_write_to_file(&image, file, 0, pixels.data(), -3 * kWidth, nullptr) == 0)
    stop(std::string(file) + ": " + image.message);
}

void render(mjModel* model, mjData* data, const char* file) {
  make_current();
  model->vis.global.offwidth = kWidth;
  model->vis.global.offheight = kHeight;
  mjvCamera camera;
  mjvOption option;
  mjvScene scene;
  mjrContext context;
  mjv_defaultCamera(&camera);
  mjv_defaultOption(&option);
  mjv_defaultScene(&scene);
  mjr_defaultContext(&context);
  mjv_makeScene(model, &scene, 2000);
  mjr_makeContext(model, &context, mjFONTSCALE_150);
  mjr_setBuffer(mjFB_OFFSCREEN, &context);
  camera.distance = 0.052;
  camera.azimuth = 20;
  camera.elevation = -48;
  camera.lookat[2] = -0.002;
  mjv_updateScene(model, data, &option, nullptr, &camera, mjCAT_ALL, &scene);
  scene.flags[mjRND_SHADOW] = 0;
  const mjrRect whole{0, 0, kWidth, kHeight};
  mjr_render(whole, &scene, &context);
  std::vector<unsigned char> pixels(3UL * kWidth * kHeight);
  mjr_readPixels(pixels.data(), nullptr, whole, &context);
  write_png(file, pixels);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) stop("usage: pad_picture PAD.xml DEPTH_MM PICTURE.png");
  mjModel* model = load(scene_of(words[1]));
  mjData* data = mj_makeData(model);
  const int press = model->jnt_dofadr[mj_name2id(model, mjOBJ_JOINT, "roller")];
  const double depth_m = 1e-3 * std::atof(words[2]);
  while (data->time < kApproach_s + kSettle_s) {
    data->qvel[press] = data->time < kApproach_s ? -depth_m / kApproach_s : 0;
    mj_step(model, data);
  }
  double load_N = 0;
  for (int i = 0; i < model->nsensordata; ++i) load_N += data->sensordata[i];
  const double most_N = colour_by_force(model, data);
  std::printf("%.3g mm deep, %.3g N, %.3g N on the tactel that carries most\n",
              -1e3 * data->qpos[press], load_N, most_N);
  render(model, data, words[3]);
}

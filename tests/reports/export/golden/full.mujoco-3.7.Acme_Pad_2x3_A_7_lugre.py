"""LuGre friction of the tactels of Acme_Pad_2x3_A_7_lugre.xml."""
# import mujoco, Acme_Pad_2x3_A_7_lugre
# model = mujoco.MjModel.from_xml_path("Acme_Pad_2x3_A_7_lugre.xml")
# data = mujoco.MjData(model)
# bristles = Acme_Pad_2x3_A_7_lugre.Bristles(model)
# while True:
#     mujoco.mj_step(model, data)
#     bristles(model, data)
# Sensor: Acme Pad 2x3, serial A-7
# Fitted: 2026-11-20T10:00:00Z by tactelier 0.1.0
# Model: sha256 ...
# Recording: monday.tact, content aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, edited
# Valid for normal force 0 .. 0.2 N
# Valid for indentation depth 0 .. 0.001 m
# Indenters: cylinder 1 mm
# Assumed: sensor.thickness_m=0.006 (user); stiffness.k=58.5 (user); friction.mu_s=0.435 (user); friction.mu_d=0.23 (user); damping.c_n=0.0583 (user); stiffness.linear_to=0.001 (user); friction.mu_s=0.435 (user); friction.mu_d=0.23 (user); friction.v_s=0.01 (user); friction.sigma0=1000 (user); friction.sigma1=0.1 (user); friction.c_t=0.05 (user)
# Left out, because it is not known:
#   stiffness.max_penetration: unidentifiable: NOT-FITTED stage 'stiffness' was not run
#   timing.rate_hz: unidentifiable: NOT-FITTED stage 'contact' was not run
#   timing.latency_s: unidentifiable: NOT-FITTED stage 'time' was not run
#   psf.sigma: unidentifiable: NOT-FITTED stage 'psf' was not run
#   response.tactels[3].gain: newtons, but no counts of tactel 3: RS-01 Tactel 3 stayed at its offset.
# Known, but without a slot here:
#   response.tactels[].press_threshold: MuJoCo has no slot for it (6 values)
#   response.tactels[].press_gain: MuJoCo has no slot for it (5 values)
#   stiffness.curve: written as the spring 54.0325 d + 2586.38 d^2 + 4.16079e+06 d^3 N (d: depth in m), by least squares: nowhere off by more than 1.8 % of the force at 0.003 m, where the curve ends and the spring goes on

import numpy as np

SIGMA_0 = 1000  # N/m, one tactel: bristle stiffness
MU_S = 0.435  # sticking
MU_D = 0.23  # sliding
V_S = 0.01  # m/s: Stribeck velocity
LEAST = 1e-9  # N: of bristles without load
TACTELS = [
    "t0_a0_r0_c0",
    "t1_a0_r0_c1",
    "t2_a0_r0_c2",
    "t3_a0_r1_c0",
    "t4_a0_r1_c1",
    "t5_a0_r1_c2",
]


class Bristles:
    """Friction under the load there is: bristles(model, data) after each mujoco.mj_step."""

    def __init__(self, model, prefix=""):
        """prefix: of all names, where the pad was attached with one."""
        names = [[prefix + name + axis for axis in ("_x", "_y")] for name in TACTELS]
        joints = [[model.joint(name) for name in pair] for pair in names]
        motors = np.array([[model.actuator(name).id for name in pair] for pair in names])
        self.speeds = np.array([[joint.dofadr[0] for joint in pair] for pair in joints])
        self.places = np.array([[joint.qposadr[0] for joint in pair] for pair in joints])
        self.lengths = np.array(model.actuator_actadr)[motors]
        self.motors = motors
        self.loads = np.array([model.sensor(prefix + name + "_load").adr[0] for name in TACTELS])

    def __call__(self, model, data):
        load = data.sensordata[self.loads][:, None]
        speeds = np.abs(data.qvel[self.speeds])
        speed = np.hypot(speeds[:, :1], speeds[:, 1:])
        share = np.divide(speeds, speed, out=np.ones_like(speeds), where=speed > 0)
        level = load * (MU_D + (MU_S - MU_D) * np.exp(-((speed / V_S) ** 2)))
        for column in (3, 4):  # coulomb and static: equal, since level holds Stribeck's curve
            model.actuator_biasprm[self.motors, column] = np.maximum(level * share, LEAST)
        length = data.act[self.lengths]
        longest = MU_S * load / SIGMA_0
        now = np.hypot(length[:, :1], length[:, 1:])
        data.act[self.lengths] = length * np.divide(
            longest, now, out=np.ones_like(now), where=now > longest)
        data.qpos[self.places] = 0

# Loads a tactile pad into Project Chrono (PyChrono 9 or later).
# The object's time step: at most a tenth of sqrt(object_kg / (tactels * k)).
# Sensor: Acme Pad 2x3, serial A-7
# Fitted: 2026-11-20T10:00:00Z by tactelier 0.1.0
# Model: sha256 ...
# Recording: monday.tact, content aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, edited
# Valid for normal force 0 .. 0.2 N
# Valid for indentation depth 0 .. 0.001 m
# Indenters: cylinder 1 mm
# Assumed: sensor.thickness_m=0.006 (user); stiffness.k=58.5 (user); friction.mu_s=0.435 (user); friction.mu_d=0.23 (user); damping.c_n=0.0583 (user)

import json
import pathlib

import pychrono as chrono

PAD_KG = 1e6  # fixed; so large that the effective mass is the object's


def material(file, object_kg, sliding_m_per_s=1e-3):
    """For the pad and for what presses it: Chrono takes the mean of both. Gn and Gt are per mass.
    Without a history of shear (Chrono has none) friction is a damper until it slides, here from
    sliding_m_per_s on under half of the range's force."""
    pad = json.loads(pathlib.Path(file).read_text())
    mass_kg = object_kg * PAD_KG / (object_kg + PAD_KG)
    made = chrono.ChContactMaterialSMC()
    made.SetKn(pad["stiffness_N_per_m"])
    made.SetGn(pad["damping_N_s_per_m"] / mass_kg)
    made.SetKt(0)
    made.SetGt(0)
    made.SetAdhesion(0)
    if pad["friction"] is not None:
        made.SetFriction(pad["friction"])
    if pad["friction"] is not None and pad["half_force_N"] is not None:
        made.SetGt(pad["friction"] * pad["half_force_N"] / sliding_m_per_s / mass_kg)
    return made


def add_pad(system, file, made):
    """A fixed sphere per tactel, in the order of the tactels: their GetContactForce(), along the
    tactel's normal, is the force on each in N. system: a ChSystemSMC with a collision system."""
    pad = json.loads(pathlib.Path(file).read_text())
    system.UseMaterialProperties(False)
    system.SetContactForceModel(chrono.ChSystemSMC.Hooke)
    bodies = []
    for tactel in pad["tactels"]:
        body = chrono.ChBody()
        body.SetName(tactel["name"])
        body.SetFixed(True)
        body.SetMass(PAD_KG)
        radius = tactel["radius_m"]
        centre = [p - radius * n for p, n in zip(tactel["position_m"], tactel["normal"])]
        body.SetPos(chrono.ChVector3d(*centre))
        body.AddCollisionShape(chrono.ChCollisionShapeSphere(made, radius))
        body.EnableCollision(True)
        system.AddBody(body)
        bodies.append(body)
    return bodies

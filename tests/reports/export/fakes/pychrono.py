"""As much of PyChrono as the exported loader calls, with Chrono's own law of smooth contacts
(ChContactSMC.cpp, Hooke, without material properties): of both materials the mean, of frictions the
smaller one, damping times the effective mass, and no history of shear."""
import math


class ChVector3d:
    def __init__(self, x=0, y=0, z=0):
        self.x, self.y, self.z = x, y, z


class ChContactMaterialSMC:
    def __init__(self):
        self.kn, self.gn, self.kt, self.gt, self.adhesion, self.friction = 2e5, 40, 2e5, 20, 0, 0.6

    def SetKn(self, value): self.kn = value
    def SetGn(self, value): self.gn = value
    def SetKt(self, value): self.kt = value
    def SetGt(self, value): self.gt = value
    def SetAdhesion(self, value): self.adhesion = value
    def SetFriction(self, value): self.friction = value


class ChCollisionShapeSphere:
    def __init__(self, material, radius):
        self.material, self.radius = material, radius


class ChBody:
    def __init__(self):
        self.shapes, self.fixed, self.collides, self.mass = [], False, False, 1

    def SetName(self, name): self.name = name
    def SetFixed(self, fixed): self.fixed = fixed
    def SetMass(self, mass): self.mass = mass
    def SetPos(self, position): self.position = position
    def AddCollisionShape(self, shape): self.shapes.append(shape)
    def EnableCollision(self, collides): self.collides = collides


class ChSystemSMC:
    Hooke, Hertz, PlainCoulomb, Flores = range(4)

    def __init__(self):
        self.bodies, self.material_properties, self.model = [], True, ChSystemSMC.Hertz

    def UseMaterialProperties(self, use): self.material_properties = use
    def SetContactForceModel(self, model): self.model = model
    def AddBody(self, body): self.bodies.append(body)

    def contact(self, body, material, mass, depth, speed, shear, step=1e-4):
        """Normal and shear force of an object on the body's sphere."""
        assert not self.material_properties and self.model == ChSystemSMC.Hooke
        assert body.collides and body.fixed
        other = body.shapes[0].material
        mean = lambda name: (getattr(material, name) + getattr(other, name)) / 2
        effective = mass * body.mass / (mass + body.mass)
        normal = max(0, mean("kn") * depth + effective * mean("gn") * speed)
        dragged = mean("kt") * shear * step + effective * mean("gt") * shear
        return normal, min(dragged, min(material.friction, other.friction) * normal)

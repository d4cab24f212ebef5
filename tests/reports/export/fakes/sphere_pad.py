"""Physics of the stand-ins: a body that moves without turning on fixed spheres, whose contacts give
way as springs and dampers do that are stepped implicitly: k depth + (c + k dt) v, and friction up to
a coefficient."""
import math


class Tactel:
    def __init__(self, name, centre, radius, k, c, mu):
        self.name, self.centre, self.radius = name, centre, radius
        self.k, self.c, self.mu = k, c, mu


class SpherePad:
    def __init__(self, tactels, step):
        self.tactels, self.step_s = tactels, step
        self.on_tactels = {}  # by name: force on it along its normal's opposite, and along x

    def lay(self, mass, at, half_edges=None, radius=None):
        self.mass, self.at, self.v = mass, list(at), [0.0, 0.0, 0.0]
        self.half_edges, self.radius = half_edges, radius

    def _contact(self, tactel):
        """Depth, and the direction away from the tactel."""
        if self.half_edges is not None:
            inside = all(abs(t - a) <= s for t, a, s in
                         zip(tactel.centre[:2], self.at, self.half_edges))
            below = self.at[2] - self.half_edges[2]
            return (tactel.centre[2] + tactel.radius - below if inside else 0), (0, 0, 1)
        apart = math.dist(tactel.centre, self.at)
        return (tactel.radius + self.radius - apart,
                tuple((a - t) / apart for a, t in zip(self.at, tactel.centre)))

    def step(self, force=(0, 0, 0), mu_of=lambda mu: mu):
        dt, total = self.step_s, list(force)
        touching = [(t, d, n) for t in self.tactels for d, n in [self._contact(t)] if d > 0]
        held = [0.0, 0.0, 0.0]  # dampers, along each axis
        for tactel, depth, n in touching:
            for i in range(3):
                total[i] += tactel.k * depth * n[i]
                held[i] += (tactel.c + tactel.k * dt) * n[i] * n[i]
        before = self.v
        self.v = [(self.mass * v + dt * f) / (self.mass + dt * h)
                  for v, f, h in zip(self.v, total, held)]
        self.on_tactels = {}
        for tactel, depth, n in touching:
            speed = sum(v * c for v, c in zip(self.v, n))
            normal = max(0.0, tactel.k * depth - (tactel.c + tactel.k * dt) * speed)
            shear = -math.copysign(mu_of(tactel.mu) * normal, before[0]) if before[0] else 0.0
            self.v[0] += dt * shear / self.mass
            self.on_tactels[tactel.name] = (normal, -shear)
        self.at = [a + dt * v for a, v in zip(self.at, self.v)]

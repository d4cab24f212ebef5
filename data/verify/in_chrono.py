class Target(Engine):
    """Project Chrono through the exported loader."""

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        import pychrono
        self.chrono = pychrono
        sys.path.insert(0, str(folder))
        loader, = [name[:-3] for name in reference["files"] if name.endswith("_chrono.py")]
        self.loader = __import__(loader)
        # Contacts are stepped explicitly: far below the object's own time.
        self.time_step_s = min(1e-4, 0.05 * math.sqrt(0.01 / self.pad["stiffness_N_per_m"]))

    def facts(self):
        return {"engine": "Project Chrono", "version": getattr(self.chrono, "__version__",
                                                               "not known"),
                "time_step_s": self.time_step_s, "solver_tolerance": 0}

    def place(self, shape, mass_kg, position_m, normal):
        c = self.chrono
        self.system = c.ChSystemSMC()
        self.system.SetCollisionSystemType(c.ChCollisionSystem.Type_BULLET)
        self.system.SetGravitationalAcceleration(c.ChVector3d(0, 0, 0))
        file = str(self.folder / self.main)
        rubber = self.loader.material(file, mass_kg)
        self.tactels = self.loader.add_pad(self.system, file, rubber)
        self.body = c.ChBody()
        self.body.SetMass(mass_kg)
        self.body.SetInertiaXX(c.ChVector3d(1e6, 1e6, 1e6))
        self.body.SetPos(c.ChVector3d(*position_m))
        edge = 2 * self.pad["half_edge_m"]
        self.body.AddCollisionShape(
            c.ChCollisionShapeBox(rubber, edge, edge, 2 * PLATE_HALF_M) if shape == "plate"
            else c.ChCollisionShapeSphere(rubber, self.pad["ball_radius_m"]))
        self.body.EnableCollision(True)
        self.system.AddBody(self.body)
        self.force = c.ChForce()
        self.body.AddForce(self.force)
        self.force.SetMode(c.ChForce.FORCE)
        self.force.SetDir(c.ChVector3d(*[-n for n in normal]))
        self.force.SetMforce(0)
        self.begin, self.normal = position_m, normal

    def push(self, force_N):
        self.force.SetMforce(force_N)

    def drive(self, inward_m_per_s, along_x_m_per_s):
        self.body.SetPosDt(self.chrono.ChVector3d(along_x_m_per_s, 0, -inward_m_per_s))

    def step(self):
        self.system.DoStepDynamics(self.time_step_s)

    @staticmethod
    def _numbers(vector):
        return [vector.x, vector.y, vector.z]

    def inward_m(self):
        at = self._numbers(self.body.GetPos())
        return sum((b - a) * n for a, b, n in zip(at, self.begin, self.normal))

    def inward_m_per_s(self):
        return -sum(v * n for v, n in zip(self._numbers(self.body.GetPosDt()), self.normal))

    def forces_N(self):
        return [-sum(f * n for f, n in zip(self._numbers(body.GetContactForce()), at["normal"]))
                for body, at in zip(self.tactels, self.pad["tactels"])]

    def lateral_N(self):
        return sum(body.GetContactForce().x for body in self.tactels)

class Target(Engine):
    """PyBullet, set up as docs/exports.md says."""

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        import pybullet
        self.bullet = pybullet
        self.time_step_s = self.pad["time_step_s"]
        pybullet.connect(pybullet.DIRECT)

    def facts(self):
        return {"engine": "PyBullet", "version": str(self.bullet.getAPIVersion()),
                "time_step_s": self.time_step_s, "solver_tolerance": 1e-12}

    def place(self, shape, mass_kg, position_m, normal):
        p = self.bullet
        p.resetSimulation()
        p.setGravity(0, 0, 0)
        p.setTimeStep(self.time_step_s)
        p.setPhysicsEngineParameter(numSolverIterations=200, solverResidualThreshold=1e-12)
        self.body_of_pad = p.loadURDF(str(self.folder / self.main), useFixedBase=True)
        links = {p.getJointInfo(self.body_of_pad, j)[12].decode(): j
                 for j in range(p.getNumJoints(self.body_of_pad))}
        self.links = [links[tactel["name"]] for tactel in self.pad["tactels"]]
        edge = self.pad["half_edge_m"]
        form = (p.createCollisionShape(p.GEOM_BOX, halfExtents=[edge, edge, PLATE_HALF_M])
                if shape == "plate" else
                p.createCollisionShape(p.GEOM_SPHERE, radius=self.pad["ball_radius_m"]))
        self.body = p.createMultiBody(mass_kg, form, basePosition=position_m)
        p.changeDynamics(self.body, -1, contactStiffness=1e18, contactDamping=0, lateralFriction=1,
                         rollingFriction=0, spinningFriction=0, linearDamping=0, angularDamping=0,
                         localInertiaDiagonal=[1e6] * 3,
                         activationState=p.ACTIVATION_STATE_DISABLE_SLEEPING)
        self.begin, self.normal = position_m, normal

    def push(self, force_N):
        p = self.bullet
        at, _ = p.getBasePositionAndOrientation(self.body)
        p.applyExternalForce(self.body, -1, [-force_N * n for n in self.normal], at, p.WORLD_FRAME)

    def drive(self, inward_m_per_s, along_x_m_per_s):
        self.bullet.resetBaseVelocity(self.body, [along_x_m_per_s, 0, -inward_m_per_s], [0, 0, 0])

    def step(self):
        self.bullet.stepSimulation()

    def inward_m(self):
        at, _ = self.bullet.getBasePositionAndOrientation(self.body)
        return sum((b - a) * n for a, b, n in zip(at, self.begin, self.normal))

    def inward_m_per_s(self):
        speed, _ = self.bullet.getBaseVelocity(self.body)
        return -sum(v * n for v, n in zip(speed, self.normal))

    def _contacts(self, link):
        return self.bullet.getContactPoints(bodyA=self.body_of_pad, linkIndexA=link)

    def forces_N(self):
        return [sum(point[9] for point in self._contacts(link)) for link in self.links]

    def lateral_N(self):
        return sum(point[10] * point[11][0] + point[12] * point[13][0]
                   for link in self.links for point in self._contacts(link))

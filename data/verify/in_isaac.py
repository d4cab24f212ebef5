class Target(Engine):
    """Isaac Sim, PhysX on the CPU with its solver PGS, whose compliant contacts are implicit and
    add k dt to the damping: the step is such that it is half a percent."""

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        from isaacsim import SimulationApp
        self.app = SimulationApp({"headless": True})  # before all that is below
        import numpy
        import omni.kit.app
        import omni.physx
        from isaacsim.core.api import World
        from isaacsim.core.prims import RigidPrim
        from pxr import Gf, PhysicsSchemaTools, PhysxSchema, UsdGeom, UsdPhysics, UsdShade
        self.np, self.World, self.RigidPrim = numpy, World, RigidPrim
        self.Gf, self.PhysxSchema, self.UsdGeom = Gf, PhysxSchema, UsdGeom
        self.UsdPhysics, self.UsdShade = UsdPhysics, UsdShade
        self.path_of = PhysicsSchemaTools.intToSdfPath
        self.reports = omni.physx.get_physx_simulation_interface()
        self.version = omni.kit.app.get_app().get_app_version()
        ratio = self.pad["damping_N_s_per_m"] / self.pad["stiffness_N_per_m"]
        self.time_step_s = min(1e-3, ratio / 200) if ratio > 0 else 1e-4

    def facts(self):
        return {"engine": "Isaac Sim, PhysX", "version": str(self.version),
                "time_step_s": self.time_step_s, "solver_tolerance": 0}

    def _scene(self, stage):
        scene = self.UsdPhysics.Scene.Define(stage, "/World/scene")
        scene.CreateGravityDirectionAttr(self.Gf.Vec3f(0, 0, -1))
        scene.CreateGravityMagnitudeAttr(0.0)
        physx = self.PhysxSchema.PhysxSceneAPI.Apply(scene.GetPrim())
        physx.CreateSolverTypeAttr("PGS")
        physx.CreateEnableGPUDynamicsAttr(False)
        physx.CreateBroadphaseTypeAttr("MBP")
        physx.CreateBounceThresholdAttr(0.0)

    def _object(self, stage, shape, mass_kg, position_m):
        if shape == "plate":
            form = self.UsdGeom.Cube.Define(stage, "/World/object")
            form.CreateSizeAttr(1.0)
            edge = 2 * self.pad["half_edge_m"]
            size = (edge, edge, 2 * PLATE_HALF_M)
        else:
            form = self.UsdGeom.Sphere.Define(stage, "/World/object")
            form.CreateRadiusAttr(self.pad["ball_radius_m"])
            size = None
        form.AddTranslateOp().Set(self.Gf.Vec3d(*map(float, position_m)))
        if size:
            form.AddScaleOp().Set(self.Gf.Vec3f(*size))
        prim = form.GetPrim()
        self.UsdPhysics.CollisionAPI.Apply(prim)
        self.UsdPhysics.RigidBodyAPI.Apply(prim)
        mass = self.UsdPhysics.MassAPI.Apply(prim)
        mass.CreateMassAttr(mass_kg)
        mass.CreateDiagonalInertiaAttr(self.Gf.Vec3f(1e6, 1e6, 1e6))
        body = self.PhysxSchema.PhysxRigidBodyAPI.Apply(prim)
        body.CreateLinearDampingAttr(0.0)
        body.CreateAngularDampingAttr(0.0)
        body.CreateSleepThresholdAttr(0.0)
        body.CreateStabilizationThresholdAttr(0.0)
        body.CreateLockedRotAxisAttr(7)
        body.CreateSolverPositionIterationCountAttr(64)
        self.PhysxSchema.PhysxContactReportAPI.Apply(prim).CreateThresholdAttr(0.0)
        self._bind_material(stage, prim)

    def _bind_material(self, stage, prim):
        """The pad's friction, and no compliance: the pad's alone acts."""
        material = self.UsdShade.Material.Define(stage, "/World/hard")
        physics = self.UsdPhysics.MaterialAPI.Apply(material.GetPrim())
        mu = float(self.pad["friction"] or 0)
        physics.CreateStaticFrictionAttr(mu)
        physics.CreateDynamicFrictionAttr(mu)
        physics.CreateRestitutionAttr(0.0)
        self.UsdShade.MaterialBindingAPI.Apply(prim).Bind(material, materialPurpose="physics")

    def place(self, shape, mass_kg, position_m, normal):
        self.World.clear_instance()
        import omni.usd
        omni.usd.get_context().new_stage()
        self.app.update()
        self.world = self.World(stage_units_in_meters=1.0, physics_dt=self.time_step_s,
                                rendering_dt=self.time_step_s, backend="numpy", device="cpu",
                                physics_prim_path="/World/scene")
        stage = omni.usd.get_context().get_stage()
        self.UsdGeom.SetStageUpAxis(stage, self.UsdGeom.Tokens.z)
        self._scene(stage)
        stage.DefinePrim("/World/pad", "Xform").GetReferences().AddReference(
            str(self.folder / self.main))
        self._object(stage, shape, mass_kg, position_m)
        self.world.reset()
        self.body = self.RigidPrim("/World/object")
        self.body.initialize()
        self.begin, self.normal = position_m, normal
        self.on_tactels = {}

    def push(self, force_N):
        self.body.apply_forces(self.np.array([[-force_N * n for n in self.normal]]), is_global=True)

    def drive(self, inward_m_per_s, along_x_m_per_s):
        self.body.set_linear_velocities(self.np.array([[along_x_m_per_s, 0.0, -inward_m_per_s]]))

    def step(self):
        """Normal impulses and those of friction are reported apart."""
        self.world.step(render=False)
        headers, points, anchors = self.reports.get_full_contact_report()
        self.on_tactels = {}
        for header in headers:
            names = [str(self.path_of(int(collider))).split("/")[-1]
                     for collider in (header.collider0, header.collider1)]
            tactel = names[1] if names[0] == "object" else names[0]
            first, count = header.contact_data_offset, header.num_contact_data
            anchor, friction = header.friction_anchors_offset, header.num_friction_anchors_data
            normal = [point.impulse for point in points[first:first + count]]
            lateral = [one.impulse for one in anchors[anchor:anchor + friction]]
            self.on_tactels[tactel] = (self._force_N(normal), self._force_N(lateral))

    def _force_N(self, impulses):
        return [sum(float(impulse[i]) for impulse in impulses) / self.time_step_s
                for i in range(3)]

    def inward_m(self):
        at = self.body.get_world_poses()[0][0]
        return sum((b - float(a)) * n for a, b, n in zip(at, self.begin, self.normal))

    def inward_m_per_s(self):
        return -sum(float(v) * n for v, n in zip(self.body.get_linear_velocities()[0], self.normal))

    def forces_N(self):
        """Which of the two bodies an impulse is of depends on their order: its size along the
        normal tells."""
        none = ([0, 0, 0], [0, 0, 0])
        return [abs(sum(f * n for f, n in
                        zip(self.on_tactels.get(tactel["name"], none)[0], tactel["normal"])))
                for tactel in self.pad["tactels"]]

    def lateral_N(self):
        return sum(lateral[0] for _, lateral in self.on_tactels.values())

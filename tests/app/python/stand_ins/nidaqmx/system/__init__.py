class Devices:
    device_names = ["Dev1", "cDAQ1"]


class System:
    devices = Devices()

    @staticmethod
    def local():
        return System()

"""Stands in for FUTEK's library: an instrument whose answers a test writes down (card.json).

Answers are texts, as the library's. `readings` come one for each request, over and over; `hangs_s`
is how long a request takes; once a file named go is there, the instrument is gone.
"""
import json
import os
import pathlib
import time

FOLDER = pathlib.Path(os.environ["CARD_FOLDER"])


class USB_DLL:
    def __init__(self):
        self._card = json.loads((FOLDER / "card.json").read_text())
        self._requests = 0
        self.DeviceStatus, self.DeviceHandle = "0", "0"

    def Open_Device_Connection(self, serial):
        if serial == self._card["serial"]:
            self.DeviceHandle = "7"
        else:
            self.DeviceStatus = "2"

    def Close_Device_Connection(self, handle):
        assert handle == "7"
        (FOLDER / "closed").touch()

    def _answer(self, name, handle, *channel):
        assert handle == "7" and list(channel) == self._card.get("channel", [])
        return str(self._card[name])

    def Get_Offset_Value(self, *of):
        return self._answer("offset", *of)

    def Get_Fullscale_Value(self, *of):
        return self._answer("full_scale", *of)

    def Get_Fullscale_Load(self, *of):
        return self._answer("load", *of)

    def Get_Decimal_Point(self, *of):
        return self._answer("decimals", *of)

    def Get_Unit_Code(self, *of):
        return self._answer("unit", *of)

    def Normal_Data_Request(self, *of):
        self._answer("offset", *of)
        if (FOLDER / "go").exists():
            self.DeviceStatus = "4"
            return "Error"
        time.sleep(self._card.get("hangs_s", 0))
        reading = self._card["readings"][self._requests % len(self._card["readings"])]
        self._requests += 1
        if reading == "throw":
            raise RuntimeError("System.AccessViolationException:\n no device")
        return str(reading)

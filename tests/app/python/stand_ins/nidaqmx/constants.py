from enum import Enum


class TerminalConfiguration(Enum):
    RSE, NRSE, DIFF, PSEUDO_DIFF = 10083, 10078, 10106, 12529


class AcquisitionType(Enum):
    CONTINUOUS = 10123

class Error(Exception):
    pass


class DaqNotFoundError(Error):
    pass


class DaqError(Error):
    def __init__(self, message, error_code):
        super().__init__(f"{message}\n\nStatus Code: {error_code}")
        self.error_code = error_code


class DaqReadError(DaqError):
    def __init__(self, message, error_code, samps_per_chan_read):
        super().__init__(message, error_code)
        self.samps_per_chan_read = samps_per_chan_read

class AnalogMultiChannelReader:
    def __init__(self, in_stream):
        self._task = in_stream.task

    def read_many_sample(self, data, number_of_samples_per_channel, timeout):
        assert timeout > 0 and data.shape == (6, number_of_samples_per_channel)
        for column, row in enumerate(self._task.take(number_of_samples_per_channel)):
            data[:, column] = row
        return number_of_samples_per_channel

"""Numbers of filters, as ``h5py.h5z`` has them: those of ``Dataset.filter_ids``."""

FILTER_NONE = 0
FILTER_DEFLATE, FILTER_SHUFFLE, FILTER_FLETCHER32, FILTER_SZIP, FILTER_NBIT, FILTER_SCALEOFFSET = range(1, 7)
FILTER_LZF = 32000
FLAG_MANDATORY, FLAG_OPTIONAL = range(2)

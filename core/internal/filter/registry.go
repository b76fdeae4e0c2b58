package filter

// Filters of the HDF5 library itself (1 to 6) and of the registry that The HDF
// Group keeps of filters by others.
const (
	Deflate     ID = 1
	Shuffle     ID = 2
	Fletcher32  ID = 3
	SZip        ID = 4
	NBit        ID = 5
	ScaleOffset ID = 6

	Bzip2            ID = 307
	LZF              ID = 32000
	Blosc            ID = 32001
	LZ4              ID = 32004
	Bitshuffle       ID = 32008
	ZFP              ID = 32013
	Zstd             ID = 32015
	SZ               ID = 32017
	FCIDecomp        ID = 32018
	JPEG             ID = 32019
	BitGroom         ID = 32022
	GranularBitRound ID = 32023
	SZ3              ID = 32024
	Blosc2           ID = 32026
	SPERR            ID = 32028
)

var names = map[ID]string{
	Deflate:     "deflate",
	Shuffle:     "shuffle",
	Fletcher32:  "fletcher32",
	SZip:        "szip",
	NBit:        "nbit",
	ScaleOffset: "scaleoffset",

	257:              "hzip",
	258:              "fpzip",
	305:              "lzo",
	Bzip2:            "bzip2",
	LZF:              "lzf",
	Blosc:            "blosc",
	32002:            "mafisc",
	32003:            "snappy",
	LZ4:              "lz4",
	32005:            "apax",
	32006:            "cbf",
	32007:            "jpeg-xr",
	Bitshuffle:       "bitshuffle",
	32009:            "spdp",
	32010:            "lpc-rice",
	32011:            "ccsds-123",
	32012:            "jpeg-ls",
	ZFP:              "zfp",
	32014:            "fpzip",
	Zstd:             "zstd",
	32016:            "b3d",
	SZ:               "sz",
	FCIDecomp:        "fcidecomp",
	JPEG:             "jpeg",
	32020:            "vbz",
	32021:            "fapec",
	BitGroom:         "bitgroom",
	GranularBitRound: "granular bitround",
	SZ3:              "sz3",
	32025:            "delta-rice",
	Blosc2:           "blosc2",
	32027:            "flac",
	SPERR:            "sperr",
	32029:            "terse/prolix",
	32030:            "ffmpeg",
}

// Name returns the registered name of id, or "".
func (id ID) Name() string { return names[id] }

Opened "layouts_earliest.h5" with sec2 driver.
/                        Group
    Location:  1:96
    Links:     1
/chunked                 Dataset {7/7, 11/11}
    Location:  1:1400
    Links:     1
    Chunks:    {3, 4} 48 bytes
    Storage:   308 logical bytes, 432 allocated bytes, 71.30% utilization
    Type:      native int
/compact                 Dataset {7/7, 11/11}
    Location:  1:26864
    Links:     1
    Storage:   308 logical bytes, 308 allocated bytes, 100.00% utilization
    Type:      native int
/contiguous              Dataset {7/7, 11/11}
    Location:  1:800
    Links:     1
    Storage:   308 logical bytes, 308 allocated bytes, 100.00% utilization
    Type:      native int
/deflate                 Dataset {7/7, 11/11}
    Location:  1:1672
    Links:     1
    Chunks:    {3, 4} 48 bytes
    Storage:   308 logical bytes, 274 allocated bytes, 112.41% utilization
    Filter-0:  deflate-1 OPT {6}
    Type:      native int
/grown                   Dataset {7/Inf, 11/11}
    Location:  1:15104
    Links:     1
    Chunks:    {3, 4} 48 bytes
    Storage:   308 logical bytes, 432 allocated bytes, 71.30% utilization
    Type:      native int
/grown2                  Dataset {7/Inf, 11/Inf}
    Location:  1:17992
    Links:     1
    Chunks:    {3, 4} 48 bytes
    Storage:   308 logical bytes, 432 allocated bytes, 71.30% utilization
    Type:      native int
/holes                   Dataset {10/10, 10/10}
    Location:  1:23976
    Links:     1
    Chunks:    {2, 5} 40 bytes
    Storage:   400 logical bytes, 80 allocated bytes, 500.00% utilization
    Type:      native float
/lzf                     Dataset {7/7, 11/11}
    Location:  1:12216
    Links:     1
    Chunks:    {7, 11} 308 bytes
    Storage:   308 logical bytes, 308 allocated bytes, 100.00% utilization
    Filter-0:  lzf-32000 OPT {4, 261, 308}
    Type:      native int
/shuffled                Dataset {7/7, 11/11}
    Location:  1:9328
    Links:     1
    Chunks:    {3, 4} 48 bytes
    Storage:   308 logical bytes, 216 allocated bytes, 142.59% utilization
    Filter-0:  shuffle-2 OPT {4}
    Filter-1:  deflate-1 OPT {6}
    Filter-2:  fletcher32-3  {}
    Type:      native int
/unwritten               Dataset {5/5, 5/5}
    Location:  1:23104
    Links:     1
    Chunks:    {2, 2} 8 bytes
    Storage:   50 logical bytes, 0 allocated bytes
    Type:      native short
/unwritten_contiguous    Dataset {5/5}
    Location:  1:23376
    Links:     1
    Storage:   20 logical bytes, 0 allocated bytes
    Type:      32-bit big-endian integer

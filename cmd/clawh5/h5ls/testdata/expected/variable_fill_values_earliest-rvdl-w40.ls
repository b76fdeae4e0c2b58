Opened "variable_fill_values_earliest.h5" with sec2 driver.
/                        Group
    Location:  1:96
    Links:     1
/record_contiguous_early Dataset {3/3}
    Location:  1:11360
    Links:     1
    Storage:   96 logical bytes, 120 allocated bytes, 80.00% utilization
    Type:      struct {
                   "n"                +0    native int
                   "s"                +8    variable-length null-terminated ASCII string
                   "q"                +16   variable length of
                       native int
               } 32 bytes
    Data:
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)}
/record_contiguous_late  Dataset {3/3}
    Location:  1:1512
    Links:     1
    Storage:   96 logical bytes, 0 allocated bytes
    Type:      struct {
                   "n"                +0    native int
                   "s"                +8    variable-length null-terminated ASCII string
                   "q"                +16   variable length of
                       native int
               } 32 bytes
    Data:
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)}
/record_default          Dataset {3/3}
    Location:  1:12640
    Links:     1
    Chunks:    {2} 64 bytes
    Storage:   96 logical bytes, 0 allocated bytes
    Type:      struct {
                   "n"                +0    native int
                   "s"                +8    variable-length null-terminated ASCII string
                   "q"                +16   variable length of
                       native int
               } 32 bytes
    Data:
         {n=0, s=NULL, q=()},
         {n=0, s=NULL, q=()},
         {n=0, s=NULL, q=()}
/record_early            Dataset {3/3}
    Location:  1:6864
    Links:     1
    Chunks:    {2} 64 bytes
    Storage:   96 logical bytes, 160 allocated bytes, 60.00% utilization
    Type:      struct {
                   "n"                +0    native int
                   "s"                +8    variable-length null-terminated ASCII string
                   "q"                +16   variable length of
                       native int
               } 32 bytes
    Data:
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)}
/record_late             Dataset {3/3}
    Location:  1:800
    Links:     1
    Chunks:    {2} 64 bytes
    Storage:   96 logical bytes, 0 allocated bytes
    Type:      struct {
                   "n"                +0    native int
                   "s"                +8    variable-length null-terminated ASCII string
                   "q"                +16   variable length of
                       native int
               } 32 bytes
    Data:
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)},
         {n=9, s="word", q=(5,-6,7)}
/sequence_compact        Dataset {3/3}
    Location:  1:14120
    Links:     1
    Storage:   information not available
    Type:      variable length of
                   native int
    Data:
         (5,-6,7), (5,-6,7), (5,-6,7)
/sequence_contiguous_early Dataset {3/3}
    Location:  1:12368
    Links:     1
    Storage:   information not available
    Type:      variable length of
                   native int
    Data:
         (5,-6,7), (5,-6,7), (5,-6,7)
/sequence_contiguous_late Dataset {3/3}
    Location:  1:6416
    Links:     1
    Storage:   information not available
    Type:      variable length of
                   native int
    Data:
         (5,-6,7), (5,-6,7), (5,-6,7)
/sequences               Dataset {3/3}
    Location:  1:13528
    Links:     1
    Chunks:    {2} 32 bytes
    Storage:   information not available
    Type:      variable length of
                   variable length of
                       native int
    Data:
         ((5,-6,7),(5)), ((5,-6,7),
         (5)), ((5,-6,7),(5))
/text_compact            Dataset {3/3}
    Location:  1:13800
    Links:     1
    Storage:   24 logical bytes, 48 allocated bytes, 50.00% utilization
    Type:      variable-length null-terminated ASCII string
    Data:
         "word", "word", "word"
/text_contiguous_early   Dataset {3/3}
    Location:  1:11744
    Links:     1
    Storage:   24 logical bytes, 48 allocated bytes, 50.00% utilization
    Type:      variable-length null-terminated ASCII string
    Data:
         "word", "word", "word"
/text_contiguous_late    Dataset {3/3}
    Location:  1:6144
    Links:     1
    Storage:   24 logical bytes, 0 allocated bytes
    Type:      variable-length null-terminated ASCII string
    Data:
         "word", "word", "word"
/texts                   Dataset {3/3}
    Location:  1:13256
    Links:     1
    Chunks:    {2} 32 bytes
    Storage:   48 logical bytes, 0 allocated bytes
    Type:      [2] variable-length null-terminated ASCII string
    Data:
         ["word","word"],
         ["word","word"],
         ["word","word"]

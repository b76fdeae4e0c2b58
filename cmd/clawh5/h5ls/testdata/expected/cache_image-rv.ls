Opened "cache_image.h5" with sec2 driver.
/                        Group
    Location:  1:48
    Links:     1
    Modified:  2026-11-30 20:41:21 UTC
/chunked                 Dataset {200/Inf}
    Location:  1:11626
    Links:     1
    Chunks:    {7} 14 bytes
    Storage:   400 logical bytes, 406 allocated bytes, 98.52% utilization
    Type:      native short
/group                   Group
    Location:  1:463
    Links:     1
/group/member0           Dataset {SCALAR}
    Location:  1:594
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member1           Dataset {SCALAR}
    Location:  1:862
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member10          Dataset {SCALAR}
    Location:  1:6266
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member11          Dataset {SCALAR}
    Location:  1:6534
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member12          Dataset {SCALAR}
    Location:  1:6802
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member13          Dataset {SCALAR}
    Location:  1:7070
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member14          Dataset {SCALAR}
    Location:  1:7338
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member15          Dataset {SCALAR}
    Location:  1:7606
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member16          Dataset {SCALAR}
    Location:  1:7874
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member17          Dataset {SCALAR}
    Location:  1:8142
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member18          Dataset {SCALAR}
    Location:  1:8410
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member19          Dataset {SCALAR}
    Location:  1:8678
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member2           Dataset {SCALAR}
    Location:  1:1130
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member20          Dataset {SCALAR}
    Location:  1:8946
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member21          Dataset {SCALAR}
    Location:  1:9214
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member22          Dataset {SCALAR}
    Location:  1:9482
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member23          Dataset {SCALAR}
    Location:  1:9750
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member24          Dataset {SCALAR}
    Location:  1:10018
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member25          Dataset {SCALAR}
    Location:  1:10286
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member26          Dataset {SCALAR}
    Location:  1:10554
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member27          Dataset {SCALAR}
    Location:  1:10822
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member28          Dataset {SCALAR}
    Location:  1:11090
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member29          Dataset {SCALAR}
    Location:  1:11358
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member3           Dataset {SCALAR}
    Location:  1:1398
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member4           Dataset {SCALAR}
    Location:  1:1666
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member5           Dataset {SCALAR}
    Location:  1:4096
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member6           Dataset {SCALAR}
    Location:  1:4364
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member7           Dataset {SCALAR}
    Location:  1:4632
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member8           Dataset {SCALAR}
    Location:  1:4952
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/group/member9           Dataset {SCALAR}
    Location:  1:5998
    Links:     1
    Storage:   8 logical bytes, 8 allocated bytes, 100.00% utilization
    Type:      native long
/numbers                 Dataset {10/10}
    Attribute: attribute0 scalar
        Type:      native long
    Attribute: attribute1 scalar
        Type:      native long
    Attribute: attribute10 scalar
        Type:      native long
    Attribute: attribute11 scalar
        Type:      native long
    Attribute: attribute12 scalar
        Type:      native long
    Attribute: attribute13 scalar
        Type:      native long
    Attribute: attribute14 scalar
        Type:      native long
    Attribute: attribute15 scalar
        Type:      native long
    Attribute: attribute16 scalar
        Type:      native long
    Attribute: attribute17 scalar
        Type:      native long
    Attribute: attribute18 scalar
        Type:      native long
    Attribute: attribute19 scalar
        Type:      native long
    Attribute: attribute2 scalar
        Type:      native long
    Attribute: attribute3 scalar
        Type:      native long
    Attribute: attribute4 scalar
        Type:      native long
    Attribute: attribute5 scalar
        Type:      native long
    Attribute: attribute6 scalar
        Type:      native long
    Attribute: attribute7 scalar
        Type:      native long
    Attribute: attribute8 scalar
        Type:      native long
    Attribute: attribute9 scalar
        Type:      native long
    Location:  1:195
    Links:     1
    Storage:   40 logical bytes, 40 allocated bytes, 100.00% utilization
    Type:      native int
/texts                   Dataset {20/20}
    Location:  1:12620
    Links:     1
    Storage:   160 logical bytes, 320 allocated bytes, 50.00% utilization
    Type:      variable-length null-terminated UTF-8 string

Opened "attributes_earliest.h5" with sec2 driver.
/                        Group
    Location:  1:96
    Links:     1
/committed               Type
    Location:  1:10952
    Links:     2
    Type:      shared-1:10952 struct {
                   "a"                +0    32-bit little-endian integer
                   "b"                +4    IEEE 64-bit little-endian float
               } 12 bytes
/dense                   Group
    Attribute: attribute_00 scalar
        Type:      64-bit little-endian integer
        Data:
              0
    Attribute: attribute_01 scalar
        Type:      64-bit little-endian integer
        Data:
              1
    Attribute: attribute_02 scalar
        Type:      64-bit little-endian integer
        Data:
              4
    Attribute: attribute_03 scalar
        Type:      64-bit little-endian integer
        Data:
              9
    Attribute: attribute_04 scalar
        Type:      64-bit little-endian integer
        Data:
              16
    Attribute: attribute_05 scalar
        Type:      64-bit little-endian integer
        Data:
              25
    Attribute: attribute_06 scalar
        Type:      64-bit little-endian integer
        Data:
              36
    Attribute: attribute_07 scalar
        Type:      64-bit little-endian integer
        Data:
              49
    Attribute: attribute_08 scalar
        Type:      64-bit little-endian integer
        Data:
              64
    Attribute: attribute_09 scalar
        Type:      64-bit little-endian integer
        Data:
              81
    Attribute: attribute_10 scalar
        Type:      64-bit little-endian integer
        Data:
              100
    Attribute: attribute_11 scalar
        Type:      64-bit little-endian integer
        Data:
              121
    Attribute: attribute_12 scalar
        Type:      64-bit little-endian integer
        Data:
              144
    Attribute: attribute_13 scalar
        Type:      64-bit little-endian integer
        Data:
              169
    Attribute: attribute_14 scalar
        Type:      64-bit little-endian integer
        Data:
              196
    Attribute: attribute_15 scalar
        Type:      64-bit little-endian integer
        Data:
              225
    Attribute: attribute_16 scalar
        Type:      64-bit little-endian integer
        Data:
              256
    Attribute: attribute_17 scalar
        Type:      64-bit little-endian integer
        Data:
              289
    Attribute: attribute_18 scalar
        Type:      64-bit little-endian integer
        Data:
              324
    Attribute: attribute_19 scalar
        Type:      64-bit little-endian integer
        Data:
              361
    Attribute: attribute_20 scalar
        Type:      64-bit little-endian integer
        Data:
              400
    Attribute: attribute_21 scalar
        Type:      64-bit little-endian integer
        Data:
              441
    Attribute: attribute_22 scalar
        Type:      64-bit little-endian integer
        Data:
              484
    Attribute: attribute_23 scalar
        Type:      64-bit little-endian integer
        Data:
              529
    Attribute: attribute_24 scalar
        Type:      64-bit little-endian integer
        Data:
              576
    Attribute: attribute_25 scalar
        Type:      64-bit little-endian integer
        Data:
              625
    Attribute: attribute_26 scalar
        Type:      64-bit little-endian integer
        Data:
              676
    Attribute: attribute_27 scalar
        Type:      64-bit little-endian integer
        Data:
              729
    Attribute: attribute_28 scalar
        Type:      64-bit little-endian integer
        Data:
              784
    Attribute: attribute_29 scalar
        Type:      64-bit little-endian integer
        Data:
              841
    Attribute: attribute_30 scalar
        Type:      64-bit little-endian integer
        Data:
              900
    Attribute: attribute_31 scalar
        Type:      64-bit little-endian integer
        Data:
              961
    Attribute: attribute_32 scalar
        Type:      64-bit little-endian integer
        Data:
              1024
    Attribute: attribute_33 scalar
        Type:      64-bit little-endian integer
        Data:
              1089
    Attribute: attribute_34 scalar
        Type:      64-bit little-endian integer
        Data:
              1156
    Attribute: attribute_35 scalar
        Type:      64-bit little-endian integer
        Data:
              1225
    Attribute: attribute_36 scalar
        Type:      64-bit little-endian integer
        Data:
              1296
    Attribute: attribute_37 scalar
        Type:      64-bit little-endian integer
        Data:
              1369
    Attribute: attribute_38 scalar
        Type:      64-bit little-endian integer
        Data:
              1444
    Attribute: attribute_39 scalar
        Type:      64-bit little-endian integer
        Data:
              1521
    Attribute: attribute_40 scalar
        Type:      64-bit little-endian integer
        Data:
              1600
    Attribute: attribute_41 scalar
        Type:      64-bit little-endian integer
        Data:
              1681
    Attribute: attribute_42 scalar
        Type:      64-bit little-endian integer
        Data:
              1764
    Attribute: attribute_43 scalar
        Type:      64-bit little-endian integer
        Data:
              1849
    Attribute: attribute_44 scalar
        Type:      64-bit little-endian integer
        Data:
              1936
    Attribute: attribute_45 scalar
        Type:      64-bit little-endian integer
        Data:
              2025
    Attribute: attribute_46 scalar
        Type:      64-bit little-endian integer
        Data:
              2116
    Attribute: attribute_47 scalar
        Type:      64-bit little-endian integer
        Data:
              2209
    Attribute: attribute_48 scalar
        Type:      64-bit little-endian integer
        Data:
              2304
    Attribute: attribute_49 scalar
        Type:      64-bit little-endian integer
        Data:
              2401
    Attribute: attribute_50 scalar
        Type:      64-bit little-endian integer
        Data:
              2500
    Attribute: attribute_51 scalar
        Type:      64-bit little-endian integer
        Data:
              2601
    Attribute: attribute_52 scalar
        Type:      64-bit little-endian integer
        Data:
              2704
    Attribute: attribute_53 scalar
        Type:      64-bit little-endian integer
        Data:
              2809
    Attribute: attribute_54 scalar
        Type:      64-bit little-endian integer
        Data:
              2916
    Attribute: attribute_55 scalar
        Type:      64-bit little-endian integer
        Data:
              3025
    Attribute: attribute_56 scalar
        Type:      64-bit little-endian integer
        Data:
              3136
    Attribute: attribute_57 scalar
        Type:      64-bit little-endian integer
        Data:
              3249
    Attribute: attribute_58 scalar
        Type:      64-bit little-endian integer
        Data:
              3364
    Attribute: attribute_59 scalar
        Type:      64-bit little-endian integer
        Data:
              3481
    Location:  1:6384
    Links:     1
/few                     Group
    Attribute: fixed scalar
        Type:      5-byte null-padded ASCII string
        Data:
              "fixed"
    Attribute: nothing null
        Type:      32-bit little-endian integer
        Data:
                      Unable to print data.
    Attribute: numbers {2, 3}
        Type:      16-bit big-endian integer
        Data:
              0 
              1 
              2 
              3 
              4 
              5
    Attribute: strings {3}
        Type:      variable-length null-terminated UTF-8 string
        Data:
              "x" 
              "yy" 
              ""
    Attribute: text scalar
        Type:      variable-length null-terminated UTF-8 string
        Data:
              "a%20variable%20string"
    Location:  1:800
    Links:     1
/typed                   Dataset {2/2}
    Location:  1:11096
    Links:     1
    Storage:   24 logical bytes, 24 allocated bytes, 100.00% utilization
    Type:      shared-1:10952 struct {
                   "a"                +0    32-bit little-endian integer
                   "b"                +4    IEEE 64-bit little-endian float
               } 12 bytes
    Data:
        0 0 
        0 0

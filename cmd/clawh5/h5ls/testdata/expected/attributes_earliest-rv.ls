Opened "attributes_earliest.h5" with sec2 driver.
/                        Group
    Location:  1:96
    Links:     1
/committed               Type
    Location:  1:10952
    Links:     2
    Type:      shared-1:10952 struct {
                   "a"                +0    native int
                   "b"                +4    native double
               } 12 bytes
/dense                   Group
    Attribute: attribute_00 scalar
        Type:      native long
    Attribute: attribute_01 scalar
        Type:      native long
    Attribute: attribute_02 scalar
        Type:      native long
    Attribute: attribute_03 scalar
        Type:      native long
    Attribute: attribute_04 scalar
        Type:      native long
    Attribute: attribute_05 scalar
        Type:      native long
    Attribute: attribute_06 scalar
        Type:      native long
    Attribute: attribute_07 scalar
        Type:      native long
    Attribute: attribute_08 scalar
        Type:      native long
    Attribute: attribute_09 scalar
        Type:      native long
    Attribute: attribute_10 scalar
        Type:      native long
    Attribute: attribute_11 scalar
        Type:      native long
    Attribute: attribute_12 scalar
        Type:      native long
    Attribute: attribute_13 scalar
        Type:      native long
    Attribute: attribute_14 scalar
        Type:      native long
    Attribute: attribute_15 scalar
        Type:      native long
    Attribute: attribute_16 scalar
        Type:      native long
    Attribute: attribute_17 scalar
        Type:      native long
    Attribute: attribute_18 scalar
        Type:      native long
    Attribute: attribute_19 scalar
        Type:      native long
    Attribute: attribute_20 scalar
        Type:      native long
    Attribute: attribute_21 scalar
        Type:      native long
    Attribute: attribute_22 scalar
        Type:      native long
    Attribute: attribute_23 scalar
        Type:      native long
    Attribute: attribute_24 scalar
        Type:      native long
    Attribute: attribute_25 scalar
        Type:      native long
    Attribute: attribute_26 scalar
        Type:      native long
    Attribute: attribute_27 scalar
        Type:      native long
    Attribute: attribute_28 scalar
        Type:      native long
    Attribute: attribute_29 scalar
        Type:      native long
    Attribute: attribute_30 scalar
        Type:      native long
    Attribute: attribute_31 scalar
        Type:      native long
    Attribute: attribute_32 scalar
        Type:      native long
    Attribute: attribute_33 scalar
        Type:      native long
    Attribute: attribute_34 scalar
        Type:      native long
    Attribute: attribute_35 scalar
        Type:      native long
    Attribute: attribute_36 scalar
        Type:      native long
    Attribute: attribute_37 scalar
        Type:      native long
    Attribute: attribute_38 scalar
        Type:      native long
    Attribute: attribute_39 scalar
        Type:      native long
    Attribute: attribute_40 scalar
        Type:      native long
    Attribute: attribute_41 scalar
        Type:      native long
    Attribute: attribute_42 scalar
        Type:      native long
    Attribute: attribute_43 scalar
        Type:      native long
    Attribute: attribute_44 scalar
        Type:      native long
    Attribute: attribute_45 scalar
        Type:      native long
    Attribute: attribute_46 scalar
        Type:      native long
    Attribute: attribute_47 scalar
        Type:      native long
    Attribute: attribute_48 scalar
        Type:      native long
    Attribute: attribute_49 scalar
        Type:      native long
    Attribute: attribute_50 scalar
        Type:      native long
    Attribute: attribute_51 scalar
        Type:      native long
    Attribute: attribute_52 scalar
        Type:      native long
    Attribute: attribute_53 scalar
        Type:      native long
    Attribute: attribute_54 scalar
        Type:      native long
    Attribute: attribute_55 scalar
        Type:      native long
    Attribute: attribute_56 scalar
        Type:      native long
    Attribute: attribute_57 scalar
        Type:      native long
    Attribute: attribute_58 scalar
        Type:      native long
    Attribute: attribute_59 scalar
        Type:      native long
    Location:  1:6384
    Links:     1
/few                     Group
    Attribute: fixed scalar
        Type:      5-byte null-padded ASCII string
    Attribute: nothing null
        Type:      native int
    Attribute: numbers {2, 3}
        Type:      16-bit big-endian integer
    Attribute: strings {3}
        Type:      variable-length null-terminated UTF-8 string
    Attribute: text scalar
        Type:      variable-length null-terminated UTF-8 string
    Location:  1:800
    Links:     1
/typed                   Dataset {2/2}
    Location:  1:11096
    Links:     1
    Storage:   24 logical bytes, 24 allocated bytes, 100.00% utilization
    Type:      shared-1:10952 struct {
                   "a"                +0    native int
                   "b"                +4    native double
               } 12 bytes

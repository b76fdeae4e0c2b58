/                        Group
/a                       Group
/a/b                     Group
/a/b/c                   Group
/a/b/c/one               Dataset {SCALAR}
    Data:
         1
/dangling                Soft Link {/a/nothing}
/external                External Link {links_target.h5//data}
/hard                    Group, same as /a/b/c
/many                    Group
/many/group_00           Group
/many/group_01           Group
/many/group_02           Group
/many/group_03           Group
/many/group_04           Group
/many/group_05           Group
/many/group_06           Group
/many/group_07           Group
/many/group_08           Group
/many/group_09           Group
/many/group_10           Group
/many/group_11           Group
/many/group_12           Group
/many/group_13           Group
/many/group_14           Group
/many/group_15           Group
/many/group_16           Group
/many/group_17           Group
/many/group_18           Group
/many/group_19           Group
/many/group_20           Group
/many/group_21           Group
/many/group_22           Group
/many/group_23           Group
/many/group_24           Group
/many/group_25           Group
/many/group_26           Group
/many/group_27           Group
/many/group_28           Group
/many/group_29           Group
/many/group_30           Group
/many/group_31           Group
/many/group_32           Group
/many/group_33           Group
/many/group_34           Group
/many/group_35           Group
/many/group_36           Group
/many/group_37           Group
/many/group_38           Group
/many/group_39           Group
/soft                    Soft Link {/a/b/c/one}

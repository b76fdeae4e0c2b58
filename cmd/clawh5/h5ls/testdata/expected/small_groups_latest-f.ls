/a                       Group
/dangling                Soft Link {/a/nothing}
/external                External Link {links_target.h5//data}
/hard                    Group
/many                    Group
/soft                    Soft Link {/a/b/c/one}

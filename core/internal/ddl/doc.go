// Package ddl writes datatypes as text and reads them from text, in HDF5's data
// description language (DDL, DDLBNF200):
//
//	H5T_COMPOUND {
//	      H5T_STD_I32LE "a" : 0;
//	      H5T_ARRAY {
//	         [2][3] H5T_IEEE_F64BE
//	      } "b" : 8;
//	   }
//
// Text gives what libhdf5's H5LTdtype_to_text gives for the types that
// H5LTtext_to_dtype can read again, and Parse reads that grammar. Types that
// those cannot express are written in h5dump's words where it has some:
//
//	bitfields, times, VAX numbers    by their predefined names
//	other numbers                    24-bit little-endian integer 20-bit precision { OFFSET 2; }
//	references                       H5T_REFERENCE { H5T_STD_REF }
//	bytes after the last member      SIZE 16; as the last line of the compound
//	names with a quotation mark      E"a \" and a \\"
//
// Reading a text that was written gives an equal type. Offsets of members are those
// of libhdf5's memory, in which a string of variable length is a pointer of 8 bytes.
package ddl

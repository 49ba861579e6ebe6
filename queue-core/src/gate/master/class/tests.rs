//! G1 to G5, G7, G8 on the state of one class.

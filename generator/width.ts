/** The width that generated code keeps to, which is the formatter's. */
export const printWidth = 120;

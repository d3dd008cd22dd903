/** Whether a list has exactly one value. */
export const hasOne = (values: readonly unknown[]): boolean => values.length === 1;

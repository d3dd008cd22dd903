/** The value of a field. */
export type Value = string | number | boolean | null;

/** A record as the service answers it. */
export type RecordData = Readonly<Record<string, Value>>;

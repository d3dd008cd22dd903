/** Fields of records that references name, by the keys under which `expand` shows these. */
export type Reads = Readonly<Record<string, readonly string[]>>;

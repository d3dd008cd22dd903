/** A database engine that the server is measured on. */
export interface Engine extends AsyncDisposable {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Which one it is and where its data lies, in words. */
  readonly place: string;
  /** A database of this name, which goes away with the engine; a kept one stays for later runs. */
  database(name: string, kept?: boolean): Database;
}

/** One database, which need not be there yet. */
export interface Database {
  /** The DATABASE_URL of servers. */
  readonly url: string;
  exists(): Promise<boolean>;
  /** Makes it where the server would not. */
  create(): Promise<void>;
  /** Makes the other one, which is not there, with all that is in this one. */
  copyTo(other: Database): Promise<void>;
  /** Has it filled past the server, which is not running. */
  fill(work: (session: Session) => Promise<void>): Promise<void>;
  /** Does what the engine would otherwise do later, while something is measured. */
  tidyUp(): Promise<void>;
  /**
   * The CPU time of those processes of the engine that serve this database, in microseconds. Undefined where there are
   * none beside the server, or where they cannot be seen.
   */
  cpu(): Promise<number | undefined>;
}

/** Runs SQL that both engines understand. */
export interface Session {
  /** Runs one statement; `parameter` is what `rowsOf` reads. */
  run(sql: string, parameter?: string): Promise<void>;
  /** The expression of a table that is made of the parameter, a JSON array of objects: its columns with their types. */
  rowsOf(columns: Readonly<Record<string, string>>): string;
}

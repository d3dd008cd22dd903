import type { Rejections, Words } from './records/write.ts';
import type { TableParts } from './sql/table-parts.ts';
import type { ViewOf } from './sql/view.ts';
import type { KeyedPath, ReadParameters, Routes, Service } from './api/service.ts';
import type { FeatureCode } from './model/error-codes.ts';
import type { Table } from './model/table.ts';
import type { WritePipeline } from './records/write-pipeline.ts';
import type { Processes, Running } from './running.ts';
import type { ReadSettings, SettingRows } from './settings.ts';
import type { TotalOwners } from './sql/total-owners.ts';
import type { Operations, WritePart } from './sql/write-part.ts';

/** A feature of the server: what it has a share in. Each is a folder under `features`, and a line in `features.ts`. */
export interface Feature extends TableParts {
  readonly name: string;
  /** The features whose files it imports, whose writes it sends or whose commands it names: without them it goes, too. */
  readonly needs?: readonly string[];
  /** Its share in a write. */
  readonly write?: WritePart;
  /** The steps of operations of its own. */
  readonly writes?: Operations;
  /** The words for its rejections. */
  readonly describe?: Partial<Words<keyof Rejections>>;
  readonly parameters?: ReadParameters;
  /** The records whose totals follow from rows of tables. */
  readonly owners?: (tables: readonly Table[]) => TotalOwners;
  /** How it shows records otherwise than whole. */
  readonly view?: ViewOf;
  /** Its steps of the writes of requests; a server loads them. @param parameters those that features add to lists */
  readonly around?: (
    service: Service,
    parameters: readonly ReadParameters[],
  ) => Promise<(next: WritePipeline) => WritePipeline>;
  /** The paths of its routes beside `/api` whose requests need a key. */
  readonly keyed?: readonly KeyedPath[];
  /** Its routes; a server loads them. */
  readonly routes?: () => Promise<Routes>;
  readonly errors?: readonly FeatureCode[];
  readonly settings?: SettingRows;
  /**
   * Its part of a start before the store is opened. @returns how the processes of the server serve, if there may be several
   *
   * @throws CliError if no server can start with these settings
   */
  readonly prepare?: (settings: ReadSettings) => Promise<Processes | undefined | void>;
  /** Starts its part of a process of a server. @returns what a stop ends, after the parts that were started later */
  readonly start?: (running: Running) => Promise<AsyncDisposable | undefined | void>;
  /** Its commands by their names; each is loaded when it is run. */
  readonly commands?: Readonly<Record<string, () => Promise<Program>>>;
  /** The key by which commands reach the server of this machine. */
  readonly localKey?: (settings: ReadSettings) => Promise<string | undefined>;
}

/** The features of a server, in the order of their locks and of their reasons to refuse. */
export interface Features {
  readonly list: readonly Feature[];
  /** The URL of the module that exports them as `features`: threads import it. */
  readonly module: string;
}

/** A command. */
export interface Program {
  /** It is printed if the arguments ask for it. */
  readonly help: string;
  /** @throws CliError that says what is wrong */
  run(context: CommandContext, args: readonly string[]): Promise<void>;
}

/** The surroundings of a command. */
export interface CommandContext {
  readonly service: Service;
  readonly features: Features;
  readonly settings: ReadSettings;
  /** The server at a URL, or else the one that `npm start` runs here. @throws CliError if there is no key for it */
  server(url: string | undefined): Promise<{ readonly url: string; readonly key: string }>;
}

import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import type { Metric } from '../observability/metric.ts';
import type { Recorder } from '../observability/recorder.ts';
import type { Access, ReadParameters, Service } from './api/service.ts';
import type { Store } from './records/store.ts';
import type { WritePipeline } from './records/write-pipeline.ts';
import type { ReadSettings } from './settings.ts';

/** The port and the URL of a server that listens. */
export interface Listening {
  readonly port: number;
  readonly url: string;
}

/** A process of a server, as it starts and runs. */
export interface Running {
  readonly service: Service;
  /** The URL of the module that exports its features: threads import it. */
  readonly module: string;
  readonly settings: ReadSettings;
  readonly store: Store;
  readonly pipeline: WritePipeline;
  /** The parameters of reads that features add. */
  readonly parameters: readonly ReadParameters[];
  readonly recorder: Recorder;
  /** 0 in the process that was started first, and does what one of several does for all; others are counted. */
  readonly number: number;
  /** Whether it answers requests itself. */
  readonly serves: boolean;
  /** Whether its store is needed though it answers no requests. */
  keepsStore?: boolean;
  access?: Access;
  /** They read the metrics of its parts. */
  readonly metrics: (() => readonly Metric[] | Promise<readonly Metric[]>)[];
  /** The facts that the start prints. */
  readonly facts: StartFacts;
  /** @param setting that of the port @throws CliError if it cannot listen there */
  listen(server: Server, port: number, setting: string): Promise<Listening>;
}

export interface StartFacts {
  /** A key to try the API with. */
  key?: string;
  /** The file of the key that the first start has created. */
  keyFile?: string;
  /** The URL of the metrics. */
  metrics?: string;
}

/** The processes of a server, if there are several. */
export interface Processes {
  /** The number of those that answer requests; 1 if the first one does. */
  readonly count: number;
  /** The number of this one: see `Running`. */
  readonly number: number;
  /** The identity of the database that all have open, in a process that another one has started. */
  readonly database: string | undefined;
  /**
   * Starts those that answer requests, and has them do so.
   *
   * @param database the identity of the database
   * @param drain milliseconds that a stop goes on accepting connections
   * @param listen begins to listen
   * @param close ends what this process does besides; called by a stop
   */
  start(
    database: string | undefined,
    drain: number,
    listen: (server: Server) => Promise<Listening>,
    close: () => Promise<void>,
  ): Promise<Listening>;
  /**
   * Answers requests in a process that another one has started.
   *
   * @param stop is given a function that resolves when no connection is on the way, and returns the exit code
   */
  serve(server: HttpServer, stop: (untilNotAccepting: () => Promise<void>) => Promise<number>): void;
}

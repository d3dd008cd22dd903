import { parentPort, workerData } from 'node:worker_threads';

import { z } from 'zod';

import { id, integer, optional, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { record, singleton } from '../../runtime/kernel/model/table.ts';
import { openSqlite, onlyJson } from '../support/main-store.ts';
import { serviceName } from '../support/databases.ts';

/** Databases that several workers open, each at the moment when the last of the workers is ready for it. */
export interface Openings {
  readonly files: readonly string[];
  readonly workers: number;
  /** For every file, how many workers are ready. */
  readonly ready: Int32Array;
}

const times = { created_at: timestamp(), updated_at: timestamp() };
const tables = [
  record('company', z.strictObject({ id: id(), name: text(), ...times }), { renamedFrom: ['firm'] }),
  singleton('options', z.strictObject({ id: id(), limit: optional(integer(), 5), ...times })),
];

/** Reads the database; returns the reason if it cannot be opened. */
async function open(file: string): Promise<string> {
  try {
    const store = await openSqlite(file, tables, serviceName);
    const settings = await onlyJson(store, 'options');
    await store.close();
    return settings;
  } catch (error) {
    return (error as Error).message;
  }
}

const { files, workers, ready } = workerData as Openings;
const found: string[] = [];
for (const [place, file] of files.entries()) {
  Atomics.add(ready, place, 1);
  Atomics.notify(ready, place);
  for (let count = 0; count < workers; count = Atomics.load(ready, place)) Atomics.wait(ready, place, count);
  found.push(await open(file));
}
// A port of Node has no origins.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(found);

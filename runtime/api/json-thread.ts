// The thread that parses large bodies, in order: see `parseBody`.
import { parentPort } from 'node:worker_threads';
import { ApiError } from '../model/errors.ts';
import { parseJson } from './json.ts';
import type { JsonAnswer, JsonRequest } from './parse-body.ts';

function parse({ bytes, maxValues }: JsonRequest): JsonAnswer {
  try {
    return { value: parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), maxValues) };
  } catch (error) {
    if (error instanceof ApiError) return { malformed: error.message };
    throw error;
  } finally {
    // Not by the garbage collector, which lets several bodies pile up.
    (bytes.buffer as ArrayBuffer).transfer(0);
  }
}

parentPort?.on('message', (request: JsonRequest) => parentPort?.postMessage(parse(request), []));

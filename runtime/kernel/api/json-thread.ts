// The thread that parses large bodies, in order: see `parseBody`.
import { parentPort } from 'node:worker_threads';
import { ApiError } from '../model/errors.ts';
import { type JsonRequest, parseRequest } from './json.ts';
import type { JsonAnswer } from './body.ts';

function answerTo(request: JsonRequest): JsonAnswer {
  try {
    return parseRequest(request);
  } catch (error) {
    if (error instanceof ApiError) return { malformed: error.message };
    throw error;
  } finally {
    // Not by the garbage collector, which lets several bodies pile up.
    (request.bytes.buffer as ArrayBuffer).transfer(0);
  }
}

parentPort?.on('message', (request: JsonRequest) => parentPort?.postMessage(answerTo(request), []));

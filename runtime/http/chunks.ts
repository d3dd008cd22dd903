import type { ServerResponse } from 'node:http';

/** Bytes that are written to the socket at a time. */
const sliceBytes = 262_144;

/**
 * Streams JSON that is too long to be held at once. The next chunk is read when the client has taken the last one, and
 * the memory of a chunk is freed at once, not by the garbage collector: 100 records of 10 MiB would pile up until then.
 * The stream ends when the client disconnects.
 */
export async function streamChunks(
  outgoing: ServerResponse,
  start: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  end: string,
): Promise<void> {
  outgoing.writeHead(200, { 'Content-Type': 'application/json' });
  outgoing.write(start);
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += sliceBytes) await write(outgoing, chunk.subarray(at, at + sliceBytes));
      // Node's small buffers share one.
      if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
      // Writes that the system takes at once never wait: other requests get their turn here.
      await new Promise(setImmediate);
    }
    outgoing.end(end);
  } catch (error) {
    // The headers are sent: only a broken connection can tell that the body is incomplete.
    outgoing.destroy(error as Error);
  }
}

/** Resolves when the operating system has the bytes. */
const write = (outgoing: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    if (outgoing.destroyed) reject(new Error('The client has disconnected.'));
    else outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

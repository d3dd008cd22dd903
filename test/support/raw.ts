import { connect } from 'node:net';

const silenceLimit = 10_000; // milliseconds; a server that never answers fails the test instead of hanging it

type RawAnswer = { status: number; headers: Headers; body: unknown; text: string };

/**
 * Sends bytes over a bare socket, for what no HTTP client would send.
 *
 * @param patience milliseconds without an answer after which it fails
 * @returns the text of the first final answer, its informational ones before it.
 */
export async function raw(port: number, bytes: string | Uint8Array, patience = silenceLimit): Promise<string> {
  const isHead = String(bytes).startsWith('HEAD ');
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const finish = (): void => {
      socket.destroy();
      if (text) resolve(text);
      else reject(new Error('The server closed the connection without an answer.'));
    };
    socket.setEncoding('utf8');
    socket.setTimeout(patience, () => {
      socket.destroy();
      reject(new Error(`The server has not answered in full within ${patience} ms, only:\n${text}`));
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text, isHead)) finish();
    });
    socket.on('close', finish);
    // A server may answer and reset the connection while bytes are still on their way; what it said counts.
    socket.on('error', finish);
    socket.write(bytes);
  });
}

/** Takes apart what `raw` returned. */
export function parseRaw(text: string): RawAnswer {
  const { head, body } = split(text);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  // From brace to brace, so that the sizes around a chunk fall away.
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  return { status: Number(statusLine.split(' ')[1]), headers, body: json ? JSON.parse(json) : undefined, text: json };
}

function split(text: string): { head: string; body: string } {
  const rest = text.replace(/^(HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
  const end = rest.indexOf('\r\n\r\n');
  return end < 0 ? { head: '', body: '' } : { head: rest.slice(0, end), body: rest.slice(end + 4) };
}

function isWhole(text: string, isHead: boolean): boolean {
  const { head, body } = split(text);
  if (isHead) return head !== '';
  if (/^transfer-encoding: *chunked/im.test(head)) return body.endsWith('0\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return length !== undefined && Buffer.byteLength(body) >= Number(length);
}

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { freePort } from '../support/postgres.ts';
import { projectRoot, startServer, testKey } from '../support/server.ts';
import { skip } from '../support/skip.ts';
import { Folder } from './command.ts';

/** Debian has some of these where only root looks for programs. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

const isRoot = process.getuid?.() === 0;

interface Proxy {
  readonly program: string;
  /** Its committed example, with places of this machine; writes what else it needs. @returns its arguments */
  readonly configure: (folder: Folder, example: string, port: number, server: number) => Promise<string[]>;
  /** The file of its log; its own output if there is none. */
  readonly log?: string;
}

/** The committed example, with these replacements, each of which has its place there. */
function replaced(example: string, places: Readonly<Record<string, string>>): string {
  let result = example;
  for (const [place, own] of Object.entries(places)) {
    expect(result).toContain(place);
    result = result.replace(place, own);
  }
  return result;
}

const proxies: Readonly<Record<string, Proxy>> = {
  'nginx.conf': {
    program: 'nginx',
    log: 'access.log',
    configure(folder, example, port, server) {
      const own = replaced(example, {
        '127.0.0.1:3000': `127.0.0.1:${server}`,
        '443 ssl': `127.0.0.1:${port} ssl`,
        '/etc/ssl/records/certificate.pem': folder.file('certificate.pem'),
        '/etc/ssl/records/key.pem': folder.file('key.pem'),
        '/var/log/nginx/records.log': folder.file('access.log'),
      });
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder.file(name)};\n`,
      );
      const main = `${isRoot ? 'user root;\n' : ''}daemon off;\npid ${folder.file('pid')};\nerror_log stderr;\nevents {}\n`;
      // Many set-ups compress: the ETags of these responses are weak.
      const gzip = 'gzip on;\ngzip_types application/json;\n';
      writeFileSync(folder.file('nginx.conf'), `${main}http {\n${temporary.join('')}${gzip}${own}}\n`);
      return Promise.resolve(['-p', folder.path, '-c', folder.file('nginx.conf'), '-e', 'stderr']);
    },
  },
  'haproxy.cfg': {
    program: 'haproxy',
    async configure(folder, example, port, server) {
      const pem = ['certificate.pem', 'key.pem'].map((name) => readFileSync(folder.file(name), 'utf8'));
      writeFileSync(folder.file('both.pem'), pem.join(''));
      const own = replaced(example, {
        'bind :443': `bind 127.0.0.1:${port}`,
        '/etc/ssl/records/certificate-and-key.pem': folder.file('both.pem'),
        '10.0.0.1:3000': `127.0.0.1:${server}`,
        // A server that is down.
        '10.0.0.2:3000': `127.0.0.1:${await freePort()}`,
      });
      writeFileSync(folder.file('haproxy.cfg'), own);
      return ['-db', '-f', folder.file('haproxy.cfg')];
    },
  },
};

const selfSigned =
  'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=records.example.com -keyout key.pem -out certificate.pem';

async function untilOpen(port: number): Promise<void> {
  for (let isOpen = false; !isOpen; await pause(50)) {
    const socket = connect(port, '127.0.0.1');
    isOpen = await new Promise((resolve) =>
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false)),
    );
    socket.destroy();
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly wasReused: boolean;
}

/** A client of the proxy, with one connection. */
class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  ask(method: string, path: string, body?: string, headers: RequestOptions['headers'] = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options: RequestOptions = {
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      agent: this.#agent,
      headers: {
        Host: 'records.example.com',
        Authorization: `Bearer ${testKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    };
    const sent = request(options, (response) => {
      const { statusCode: status, headers: received } = response;
      const wasReused = sent.reusedSocket;
      text(response).then((answer) => resolve({ status, headers: received, body: answer, wasReused }), reject);
    });
    sent.once('error', reject).end(body);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

const competitors = '/records/api/crm/competitor';
const attachments = '/records/api/files/attachment';

describe.each(Object.entries(proxies))('the example docs/deployment/%s', (file, { program, configure, log }) => {
  test('serves behind a prefix, with keep-alive, large bodies, health checks and the addresses of clients', async (context) => {
    for (const needed of [program, 'openssl']) {
      if (spawnSync(needed, ['-v'], { env }).error !== undefined) return skip(context, `${needed} is not installed`);
    }
    using folder = new Folder();
    execFileSync('openssl', selfSigned.split(' '), { cwd: folder.path, stdio: 'pipe' });
    const server = await startServer();
    const port = await freePort();
    const example = readFileSync(join(projectRoot, 'docs/deployment', file), 'utf8');
    const proxy = spawn(program, await configure(folder, example, port, server.port), { env, stdio: 'pipe' });
    let output = '';
    for (const stream of [proxy.stdout, proxy.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise((_, reject) => {
      proxy.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${output}`)));
    });
    ended.catch(() => {});
    try {
      await Promise.race([untilOpen(port), ended]);
      using client = new Client(port);
      // HAProxy needs its first checks.
      while ((await client.ask('GET', '/records/healthz')).status === 503) await pause(50);

      expect(await client.ask('GET', '/records')).toMatchObject({ status: 308, headers: { location: /\/records\/$/ } });
      expect(await client.ask('GET', '/elsewhere')).toMatchObject({ status: 404 });
      expect(await client.ask('GET', '/records/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' });
      const created = await client.ask('POST', competitors, '{"competitor_name":"Acme"}');
      expect(created.status).toBe(201);
      const { pathname } = new URL(created.headers.location ?? '', `https://records.example.com${competitors}`);
      expect(await client.ask('GET', pathname)).toMatchObject({ status: 200, body: created.body });

      // The ETag as a client gets it guards a write.
      const read = (headers = {}) => client.ask('GET', pathname, undefined, { 'Accept-Encoding': 'gzip', ...headers });
      const { etag = '' } = (await read()).headers;
      expect(etag).toBe(file === 'nginx.conf' ? 'W/"1"' : '"1"');
      expect(await read({ 'If-None-Match': etag })).toMatchObject({ status: 304 });
      const patch = (): Promise<Answer> =>
        client.ask('PATCH', pathname, '{"website":"acme.example"}', { 'If-Match': etag });
      expect([(await patch()).status, (await patch()).status]).toEqual([200, 412]);

      const denied = await client.ask('GET', competitors, undefined, { Authorization: 'Bearer wrong' });
      expect(denied).toMatchObject({ status: 401, headers: { 'www-authenticate': /^Bearer realm=/ } });

      // A body as large as the API takes, and one that the server refuses itself.
      const attachment = (bytes: number): string => {
        const start = '{"order_id":"large","data":"';
        return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
      };
      const large = await client.ask('POST', attachments, attachment(10_000_000));
      expect([large.status, large.body.length > 10_000_000]).toEqual([201, true]);
      const tooLarge = await client.ask('POST', attachments, attachment(16 * 1024 * 1024 + 1));
      expect(tooLarge).toMatchObject({ status: 413, headers: { 'content-type': 'application/problem+json' } });

      const many: Answer[] = [];
      for (let n = 0; n < 50; n++) many.push(await client.ask('GET', competitors));
      expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
      expect(many.slice(1).filter(({ wasReused }) => !wasReused)).toEqual([]);

      while (!(log === undefined ? output : readFileSync(folder.file(log), 'utf8')).includes('127.0.0.1'))
        await pause(50);
    } finally {
      proxy.removeAllListeners('exit');
      proxy.kill();
      await server.close();
    }
  });
});

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { serverOf as serverIn } from '../../runtime/cli/server-of.ts';
import { features } from '../../runtime/features.ts';
import { settingsIn, settingsOf } from '../../runtime/server/settings.ts';
import { Api, TooLong } from '../../runtime/data/transfer/api.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';

/** The outcome of a write that a server answers so, and the keys that it was sent with. */
async function sentTo(...answers: ((response: ServerResponse) => void)[]) {
  const keys: unknown[] = [];
  await using server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    request.resume().on('end', () => answers.shift()?.(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = await new Api({ url: `http://127.0.0.1:${port}`, key: 'key' }).send('POST', '/api/x', {});
  server.closeAllConnections();
  return { sent, keys };
}

test('a write whose answer is cut off is sent again with the same key', async () => {
  const cut = (response: ServerResponse): void => {
    // As a proxy that marks the end by closing.
    response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' }).end('{"id":"lead_');
  };
  const replay = (response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' }).end('{}');
  };
  const lost = (response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Length': '100' }).write('{"id":');
    setImmediate(() => response.destroy());
  };
  const { sent, keys } = await sentTo(lost, replay);
  expect(sent).toEqual({ outcome: 'done', body: {}, isReplayed: true });
  expect(keys).toEqual([expect.any(String), keys[0]]);
  await expect(sentTo(cut)).rejects.toThrow('The response is not of the service');
});

test('a write that is redirected is not done', async () => {
  const { sent, keys } = await sentTo((response) => {
    response.writeHead(302, { Location: '/elsewhere' }).end();
  });
  expect(sent).toMatchObject({ outcome: 'refused' });
  expect(keys).toHaveLength(1);
});

test('where no server is, a command says so at once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
  const message = new RegExp(
    `^No server responds at ${url} \\(.*ECONNREFUSED.*\\)\\. Start it, or name another with --url\\.$`,
  );
  await expect(new Api({ url, key: 'key' }).get('/api/key')).rejects.toThrow(message);
});

test.each([
  ['a port that fetch blocks', 'http://127.0.0.1:22', 'bad port'],
  ['no name of a host', 'http://no-such-host.invalid', 'no-such-host.invalid'],
])('%s ends a command at once, with the reason', async (_, url, reason) => {
  const end = runInProcess(service, { API_KEY: 'key' }, 'demo', '--url', url);
  expect(await end).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`at ${url} (`) });
  expect((await end).stderr).toContain(reason);
});

test('a response that is too long is read no further', async () => {
  let isClosed: Promise<unknown> | undefined;
  await using server = createServer((_, response) => {
    isClosed = once(response, 'close');
    response.writeHead(200);
    const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(more)));
    more();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = new Api({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'key' });
  await expect(api.get('/api/key', 1_000_000)).rejects.toThrow(TooLong);
  await isClosed;
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the keys of this machine are sent to its own servers alone', async () => {
  const serverOf = (url?: string) =>
    serverIn({ features, settings: settingsIn(settingsOf(features), process.env) }, url);
  vi.stubEnv('API_KEYS', 'first-key-of-this-machine,second-key-of-this-machine');
  vi.stubEnv('API_KEY', '');
  for (const url of [undefined, 'http://localhost:3000/', 'http://127.1.2.3', 'http://[::1]:80']) {
    expect((await serverOf(url)).key).toBe('first-key-of-this-machine');
  }
  for (const url of [
    'https://records.example.com',
    'http://192.0.2.1:3000',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
  ]) {
    await expect(serverOf(url), url).rejects.toThrow('An API key is missing');
  }
  vi.stubEnv('API_KEY', 'meant-for-any-server');
  expect((await serverOf('https://records.example.com')).key).toBe('meant-for-any-server');
});

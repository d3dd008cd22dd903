import { isDeepStrictEqual } from 'node:util';

import type { Child } from '../child.ts';
import { changeOf, leadId, leadOf, leadPath } from '../leads.ts';
import { ask } from '../server.ts';
import { apiKey } from '../traffic.ts';

/**
 * Makes sure that the peer finds the same leads, in the same order.
 *
 * @throws Error that shows the first answer that differs.
 */
export async function checkFindingPeer(peer: Child, server: Child, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const [expected, actual] = await Promise.all([server, peer].map((child) => ask<object>(child, path)));
    if (!isDeepStrictEqual(actual, expected)) {
      throw new Error(`To ${path} the peer answered\n${JSON.stringify(actual)}\nand not\n${JSON.stringify(expected)}`);
    }
  }
}

/**
 * Makes sure that the peer does the same work as the server that it is compared with, over the same leads.
 *
 * @throws Error that shows the first answer that differs.
 */
export async function checkPeer(peer: Child, server: Child, rows: number): Promise<void> {
  const same = async (path: string, except: readonly string[] = [], method?: string, body?: object): Promise<void> => {
    const answers = [server, peer].map(async (child) => {
      const answer = await ask<object>(child, path, method, body);
      return JSON.stringify(answer, (name, value: unknown) => (except.includes(name) ? undefined : value));
    });
    const [expected, actual] = await Promise.all(answers);
    if (actual !== expected) throw new Error(`To ${path} the peer answered\n${actual}\nand not\n${expected}`);
  };
  const id = leadId(rows - 500);
  for (const query of ['', '?offset=700', `?after=${id}`, '?limit=5', '?limit=100&offset=2']) {
    await same(`${leadPath}${query}`);
  }
  await same(`${leadPath}/${id}`);
  await same(`${leadPath}/${id}`, ['updated_at'], 'PATCH', changeOf(0, 1));
  await same(leadPath, ['id', 'created_at', 'updated_at'], 'POST', leadOf(0));
  await same(`${leadPath}?limit=2`, ['id', 'created_at', 'updated_at']);

  const refused = [
    { path: `/${leadId(rows)}`, status: 404 },
    { path: '', status: 401, key: 'another' },
    { path: '?limit=0', status: 400 },
    { path: '?page=2', status: 400 },
    { path: '', status: 422, body: { nobody: 'knows this' } },
    { path: '', status: 422, body: { title: 5 } },
  ];
  for (const { path, status, key = apiKey, body } of refused) {
    for (const child of [server, peer]) {
      const response = await fetch(`http://127.0.0.1:${child.port}${leadPath}${path}`, {
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (response.status !== status) throw new Error(`${path} was answered ${response.status}, not ${status}.`);
    }
  }
}

import { expect } from 'vitest';

import type { End } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';

/** Runs `npm run webhooks`, which succeeds, where private addresses are allowed. */
export async function webhooks(url: string, ...args: string[]): Promise<End> {
  const end = await runInProcess(service, { DATABASE_URL: url, WEBHOOK_PRIVATE: 'on' }, 'webhooks', ...args);
  expect(end.code, end.stderr).toBe(0);
  return end;
}

export async function createWebhook(url: string, ...args: string[]): Promise<{ id: string; secret: string }> {
  const { stdout, stderr } = await webhooks(url, 'create', ...args);
  return { id: /webhook_\w+/.exec(stderr)?.[0] as string, secret: stdout.trim() };
}

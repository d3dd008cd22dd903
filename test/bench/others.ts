import { cpus } from 'node:os';

import type { Child } from './child.ts';
import type { Database } from './databases/database.ts';

/** Milliseconds that all cores together have been busy, by whomever. */
function machineBusy(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

/** Starts to watch; the returned function says which share of the machine other programs have had since. */
export async function watchOthers(
  servers: readonly Child[],
  databases: readonly Database[],
): Promise<() => Promise<number>> {
  const ours = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    const usages = await Promise.all(servers.map((server) => server.usage()));
    const behind = await Promise.all(databases.map((database) => database.cpu()));
    const used = [...usages.map(({ cpu }) => cpu), ...behind.map((cpu) => cpu ?? 0)];
    return used.reduce((sum, cpu) => sum + cpu, user + system) / 1000;
  };
  const before = { time: performance.now(), busy: machineBusy(), ours: await ours() };
  return async () => {
    const others = machineBusy() - before.busy - ((await ours()) - before.ours);
    return Math.max(0, others / cpus().length / (performance.now() - before.time));
  };
}

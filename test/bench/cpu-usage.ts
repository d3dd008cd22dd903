import process from 'node:process';

import type { Usage } from './processes.ts';

// Loaded into a child with `--import`, before its program: answers every message of the parent with the usage. The
// program's own children may load it again, with the same arguments, and must not answer.
if (process.env['BENCH_OBSERVED']) {
  delete process.env['BENCH_OBSERVED'];

  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const kibibytes = process.resourceUsage().maxRSS;
    const usage: Usage = { cpu: user + system, memory: process.memoryUsage.rss(), peak: kibibytes * 1024 };
    process.send?.(usage);
  });

  // The parent is gone, however it ended.
  process.on('disconnect', () => process.exit());
}

import process from 'node:process';

/** What a process has used since its start. */
export interface Usage {
  /** CPU time of all its threads, user and system, in microseconds. */
  readonly cpu: number;
  /** Resident memory in bytes. */
  readonly memory: number;
}

// Loaded into a child with `--import`, before its program: answers every message of the parent with the usage.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpu: user + system, memory: process.memoryUsage.rss() };
  process.send?.(usage);
});

// The parent is gone, however it ended.
process.on('disconnect', () => process.exit());

import { readdirSync, readFileSync } from 'node:fs';

/** The usage of one or more processes since their start. */
export interface Usage {
  /** CPU time of all threads, user and system, in microseconds. */
  readonly cpu: number;
  /** Resident memory in bytes; of several processes, pages that they share are counted for each. */
  readonly memory: number;
  /** The most resident memory there ever was, in bytes. */
  readonly peak: number;
}

/** Whether processes other than this one can be looked at: on Linux. */
export const othersVisible = process.platform === 'linux';

/** CPU time of the threads of a process, in microseconds; 0 for one that is gone. */
export function cpuOf(pid: number): number {
  const threads = listed(`/proc/${pid}/task`);
  return (
    threads.reduce((sum, thread) => sum + Number(text(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]), 0) / 1000
  );
}

/** The usage of a process; zeros if it is gone. */
export function usageOf(pid: number): Usage {
  const status = text(`/proc/${pid}/status`);
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { cpu: cpuOf(pid), memory: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 };
}

/** The processes that a process has started, and theirs. Empty where they cannot be seen. */
export function descendantsOf(pid: number): number[] {
  if (!othersVisible) return [];
  const children = new Map<number, number[]>();
  for (const name of listed('/proc')) {
    // The name of the program, in parentheses, may hold anything; the state and the parent come behind it.
    const parent = Number(/.*\) \S+ (\d+)/s.exec(text(`/proc/${name}/stat`))?.[1]);
    if (/^\d+$/.test(name)) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = children.get(pid) ?? [];
  // The list grows while it is walked.
  for (const child of found) found.push(...(children.get(child) ?? []));
  return found;
}

/** Several usages as one. */
export const sumOf = (usages: readonly Usage[]): Usage => ({
  cpu: usages.reduce((sum, { cpu }) => sum + cpu, 0),
  memory: usages.reduce((sum, { memory }) => sum + memory, 0),
  peak: usages.reduce((sum, { peak }) => sum + peak, 0),
});

// A process may end while it is looked at.
function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

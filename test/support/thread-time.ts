/** Milliseconds that this thread has computed so far: a busy machine does not add to them. */
export const threadTime = (): number => process.threadCpuUsage().user / 1_000;

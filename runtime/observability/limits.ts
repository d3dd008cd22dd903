import cluster from 'node:cluster';

/** Bytes that are written at a time: of several processes, what a pipe takes as a whole (PIPE_BUF), so that no line is torn. */
export const maxWrite = cluster.isWorker ? 4_096 : 65_536;

/**
 * Characters of lines that are written together; the last line has room behind them. They are collected by us: pino's output takes
 * 14 µs of CPU more for each line.
 */
export const batchLength = 0.75 * maxWrite;

/** Bytes that wait for a slow reader of the log; what follows is dropped, so that it does not fill the memory. */
export const maxUnread = 8 * 1024 * 1024;

/** Milliseconds between two lines of an event that a client can cause as often as it likes. */
export const repeatInterval = 1_000;

/** Milliseconds that a line of the log waits at most for others, to be written with them. */
export const maxDelay = repeatInterval / 10;

/** Such events that are told apart by their messages; all others are counted as one. */
export const maxRepeats = 50;

/** Upper limits of the buckets of durations, in seconds: from a cached read to the longest work. */
export const durationLimits = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

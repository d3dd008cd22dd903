import { availableParallelism } from 'node:os';
import type { Feature } from '../../kernel/feature.ts';
import { type SettingRows, wholeNumber } from '../../kernel/settings.ts';

/** More processes than any machine needs: a larger number is a typing error. */
const processes = wholeNumber(1, 256);

const workerSettings = {
  WORKERS: {
    default: '1',
    meaning: 'the number of server processes; auto: one per core',
    rule: `${processes.rule}, or auto`,
    parse: (text) => (text === 'auto' ? availableParallelism() : processes.parse(text)),
  },
} as const satisfies SettingRows;

/** Several processes serve on one port. */
export const workers: Feature = {
  name: 'workers',
  settings: workerSettings,
  prepare: async (settings) => (await import('./workers.ts')).processesOf(settings(workerSettings).WORKERS),
};

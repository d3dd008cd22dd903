import type { Feature } from '../../kernel/feature.ts';
import { type SettingRows, wholeNumber } from '../../kernel/settings.ts';

const metricsSettings = {
  METRICS_PORT: {
    default: '',
    meaning: 'serves metrics on this port of HOST, without a key; those of WORKERS on the next ones',
    ...wholeNumber(0, 65_535),
  },
} as const satisfies SettingRows;

/** Metrics in the text format of Prometheus are served on a port of their own. */
export const metrics: Feature = {
  name: 'metrics',
  settings: metricsSettings,
  start: async (running) => {
    const { METRICS_PORT: port } = running.settings(metricsSettings);
    if (port !== undefined) await (await import('./metrics.ts')).serveMetrics(running, port);
  },
};

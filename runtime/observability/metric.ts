import type { Histogram } from './histogram.ts';

/** A metric with its values, as prom-client has it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

const metric =
  (type: Metric['type']) =>
  (name: string, help: string, values: number | Value[]): Metric => ({
    name,
    help,
    type,
    values: typeof values === 'number' ? [{ value: values, labels: {} }] : values,
  });

export const counter = metric('counter');
export const gauge = metric('gauge');

export const histogram = (
  name: string,
  help: string,
  all: readonly (readonly [Histogram, Value['labels']])[],
): Metric =>
  metric('histogram')(
    name,
    help,
    all.flatMap(([one, labels]) => bucketsOf(name, one, labels)),
  );

/** The cumulative buckets of a histogram, its sum and its count. */
function bucketsOf(name: string, { limits, counts, sum }: Histogram, labels: Value['labels']): Value[] {
  let count = 0;
  const buckets = counts.map((inBucket, i) => {
    count += inBucket;
    return { value: count, labels: { ...labels, le: limits[i] ?? '+Inf' }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

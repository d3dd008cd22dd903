/** The keys of the service under attack, one for each client. */
export const attackerKey = 'attacker-0123456789abcdef0123456789abcdef';
export const quietKey = 'quiet-0123456789abcdef0123456789abcdef';

/** Resources of the tests' own service. */
export const leadPath = '/api/crm/lead';
export const competitorPath = '/api/crm/competitor';
export const machinePath = '/api/assets/machine';
export const attachmentPath = '/api/files/attachment';
export const orderPath = '/api/sales/order';
export const orderLinePath = '/api/sales/order-line';
export const batchPath = '/api/batch';

interface RequestOptions {
  readonly key?: string;
  readonly body?: string | Uint8Array;
  /** Whether it is the last of its connection. */
  readonly last?: boolean;
  /** More header lines. */
  readonly headers?: readonly string[];
  /** A false Content-Length; null for none. */
  readonly length?: number | null;
}

/** The head of a request, its empty line included. */
export function headOf(method: string, target: string, options: RequestOptions = {}): string {
  const { key = attackerKey, body, last = false, headers = [], length = body && Buffer.byteLength(body) } = options;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    ...(body === undefined ? [] : ['Content-Type: application/json']),
    ...(length === undefined || length === null ? [] : [`Content-Length: ${length}`]),
    ...(last ? ['Connection: close'] : []),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The bytes of a request. */
export function requestOf(method: string, target: string, options: RequestOptions = {}): Buffer {
  const body = options.body ?? '';
  return Buffer.concat([Buffer.from(headOf(method, target, options)), Buffer.from(body as string)]);
}

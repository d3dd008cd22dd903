/** A line of the log for people: of a request `12:30:05 GET /api/crm/lead/:id 200 1.2 ms 1402 B`, of others the message. */
export function describeLine(line: string): string {
  const { level, time, msg, method, route, status, ms, bytes, err, pid: _, ...others } = JSON.parse(line);
  const parts: unknown[] = [new Date(time).toTimeString().slice(0, 8), level === 'info' ? undefined : level, msg];
  parts.push(method, route, status);
  if (status !== undefined) parts.push(`${ms.toFixed(1)} ms`, `${bytes} B`);
  // The request id is for the programs that read a log; for people it matters if something is wrong.
  if (status < 400) delete others.request_id;
  for (const [name, value] of Object.entries(others)) parts.push(`${name}=${String(value)}`);
  return `${parts.filter((part) => part !== undefined).join(' ')}\n${describeError(err)}`;
}

/** @param error an error as `describeError` of the log has it */
function describeError(error: { stack?: string; cause?: object } | string | undefined): string {
  if (error === undefined) return '';
  if (typeof error === 'string') return `  ${error}\n`;
  const { stack = '', cause } = error;
  return `${stack.replaceAll(/^/gm, '  ')}\n${describeError(cause)}`;
}

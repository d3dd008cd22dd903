import type { Target } from '../target.ts';

/** The most bytes that the answer to a body may have: it quotes little of it. */
const longestAnswer = 65_536;

/** Sends a request, the last of its connection, that must be refused, in a short answer. */
export async function refused(target: Target, bytes: Uint8Array): Promise<void> {
  const wire = await target.exchange(bytes, {
    onStatus: (status) => status < 400 && target.violations.add(`was not refused, but answered ${status}`),
  });
  if (wire.received > longestAnswer) target.violations.add('a refusal of over 64 KiB');
}

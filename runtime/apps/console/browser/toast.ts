import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which a message is shown. */
const duration = 5_000;

interface Message {
  readonly text: string;
  readonly isError: boolean;
}

let show: ((message: Message) => void) | undefined;

/** Shows a short message for a while, which screen readers announce. */
export const toast = (text: string, { isError = false } = {}): void => show?.({ text, isError });

/** Shows the messages: once on the page. */
export function Toasts(): unknown {
  const [message, setMessage] = useState<Message>();
  useEffect(() => {
    show = setMessage;
    return () => (show = undefined);
  }, []);
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(undefined), duration);
    return () => clearTimeout(timer);
  }, [message]);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${message && html`<div class=${message.isError ? 'toast error' : 'toast'}>${message.text}</div>`}
  </div>`;
}

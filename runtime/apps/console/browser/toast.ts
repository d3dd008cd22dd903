import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which a message is shown. */
const duration = 5_000;

/** The button of a message, which is shown twice as long. */
interface Action {
  readonly label: string;
  readonly run: () => void;
}

interface Message {
  readonly text: string;
  readonly isError?: boolean;
  readonly action?: Action | undefined;
}

let show: ((message: Message) => void) | undefined;

/** Shows a short message for a while, which screen readers announce. */
export const toast = (text: string, options: Omit<Message, 'text'> = {}): void => show?.({ text, ...options });

/** Shows the messages: once on the page. */
export function Toasts(): unknown {
  const [message, setMessage] = useState<Message>();
  useEffect(() => {
    show = setMessage;
    return () => (show = undefined);
  }, []);
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(undefined), message.action ? 2 * duration : duration);
    return () => clearTimeout(timer);
  }, [message]);
  const { text, isError, action } = message ?? {};
  const act = (): void => {
    setMessage(undefined);
    action?.run();
  };
  return html`<div class="toasts" role="status" aria-live="polite">
    ${
      message &&
      html`<div class=${isError ? 'toast error' : 'toast'}>
        ${text} ${action && html`<button type="button" onClick=${act}>${action.label}</button>`}
      </div>`
    }
  </div>`;
}

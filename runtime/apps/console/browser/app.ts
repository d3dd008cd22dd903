import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { messageOf, Refusal } from './api.ts';
import { mayLeave } from './route.ts';
import { forgetKey, type Session, signIn, storedKey } from './session.ts';
import { Shell } from './shell.ts';
import { SignIn } from './sign-in.ts';
import { Toasts } from './toast.ts';

/** The whole console: the sign-in, or what is behind it. */
export function App(): VNode {
  const [session, setSession] = useState<Session>();
  const [isOpening, setOpening] = useState(storedKey() !== undefined);
  const [reason, setReason] = useState<string>();
  const [isLocked, setLocked] = useState(false);
  const signOut = useCallback(async () => {
    if (!(await mayLeave())) return;
    forgetKey();
    setReason(undefined);
    setSession(undefined);
  }, []);
  // Typed text stays behind the sign-in.
  const lock = useCallback(() => {
    forgetKey();
    setReason('Your key is no longer valid. Sign in again to go on.');
    setLocked(true);
  }, []);
  const start = useCallback(async (secret: string) => {
    setSession(await signIn(secret, lock));
    setLocked(false);
  }, []);
  useEffect(() => {
    const secret = storedKey();
    if (secret === undefined) return;
    start(secret)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal && error.problem.status === 401)) setReason(messageOf(error));
      })
      .finally(() => setOpening(false));
  }, []);
  if (isOpening) return html`<div class="opening" role="status" aria-label="Loading"></div>`;
  return html`
    ${
      session &&
      html`<div class="app" hidden=${isLocked}>
        <${Shell} key=${session.key.organization} session=${session} signOut=${signOut} />
      </div>`
    }
    ${(!session || isLocked) && html`<${SignIn} signIn=${start} reason=${reason} />`}
    <${Toasts} />
  `;
}

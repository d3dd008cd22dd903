import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Api, type Key, messageOf, statusOf } from './api.ts';
import { valueOf } from './events.ts';
import { type OpenApi, readModel } from './model.ts';
import { mayLeave } from './route.ts';
import type { Session } from './reference.ts';
import { Shell } from './shell.ts';
import { texts } from './texts.ts';
import { Toasts } from './toast.ts';

/** The name of the key in the session storage: it ends with the tab, and no other site, and no cookie, ever has it. */
const storageName = 'console-key';

interface SignInProps {
  readonly signIn: (key: string) => Promise<void>;
  /** Why a user who had signed in is here again. */
  readonly reason: string | undefined;
}

/** The form that asks for an API key. */
function SignIn({ signIn, reason }: SignInProps): VNode {
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (key.trim() === '') {
      setError(texts.shell.enterKey);
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await signIn(key.trim());
    } catch (failure) {
      setError(statusOf(failure) === 401 ? texts.shell.wrongKey : messageOf(failure));
      setBusy(false);
    }
  };
  return html`<main class="sign-in">
    <form class="card" onSubmit=${submit} novalidate>
      <h1>${texts.shell.signIn}</h1>
      <p class="muted">${texts.shell.aboutKey}</p>
      <label for="key">${texts.shell.apiKey}</label>
      <input
        id="key"
        type="password"
        autocomplete="off"
        spellcheck=${false}
        autofocus
        required
        aria-invalid=${error !== undefined}
        aria-describedby="key-message"
        value=${key}
        onInput=${(event: Event) => setKey(valueOf(event))}
      />
      <p id="key-message" class=${error ? 'message error' : 'message'} role="alert">${error ?? reason}</p>
      <button class="button primary" disabled=${isBusy}>${isBusy ? texts.shell.signingIn : texts.shell.signIn}</button>
    </form>
  </main>`;
}

/** The whole console: the sign-in, or what is behind it. */
export function App(): VNode {
  const secret = sessionStorage.getItem(storageName);
  const [session, setSession] = useState<Session>();
  const [isOpening, setOpening] = useState(secret !== null);
  const [reason, setReason] = useState<string>();
  const [isLocked, setLocked] = useState(false);
  const signOut = async (): Promise<void> => {
    if (!(await mayLeave())) return;
    sessionStorage.removeItem(storageName);
    setReason(undefined);
    setSession(undefined);
  };
  // Typed text stays behind the sign-in.
  const lock = (): void => {
    sessionStorage.removeItem(storageName);
    setReason(texts.shell.keyEnded);
    setLocked(true);
  };
  const signIn = async (secretKey: string): Promise<void> => {
    // The service may be behind a prefix: that of this page without its last segment.
    const api = new Api(new URL('.', location.href.replace(/[?#].*$/s, '')), secretKey, lock);
    const [key, model] = await Promise.all([
      api.get<Key>('/api/key'),
      api.get<OpenApi>('/openapi.json').then(readModel),
    ]);
    sessionStorage.setItem(storageName, secretKey);
    setSession({ api, key, model });
    setLocked(false);
  };
  // An effect would wait for the next frame.
  useLayoutEffect(() => {
    if (secret === null) return;
    signIn(secret)
      .catch((error: unknown) => {
        if (statusOf(error) !== 401) setReason(messageOf(error));
      })
      .finally(() => setOpening(false));
  }, []);
  if (isOpening) return html`<div class="opening" role="status" aria-label=${texts.shell.opening}></div>`;
  return html`
    ${
      session &&
      html`<div class="app" hidden=${isLocked}>
        <${Shell} key=${session.key.organization} session=${session} signOut=${signOut} />
      </div>`
    }
    ${(!session || isLocked) && html`<${SignIn} signIn=${signIn} reason=${reason} />`}
    <${Toasts} />
  `;
}

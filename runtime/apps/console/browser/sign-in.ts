import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf, Refusal } from './api.ts';

const explain = (error: unknown): string =>
  error instanceof Refusal && error.problem.status === 401
    ? 'This key is not valid. Check that it is complete, and that it has not expired or been revoked.'
    : messageOf(error);

interface SignInProps {
  readonly signIn: (key: string) => Promise<void>;
  /** Why a user who had signed in is here again. */
  readonly reason: string | undefined;
}

/** The form that asks for an API key. */
export function SignIn({ signIn, reason }: SignInProps): VNode {
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (key.trim() === '') {
      setError('Enter an API key.');
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await signIn(key.trim());
    } catch (failure) {
      setError(explain(failure));
      setBusy(false);
    }
  };
  const message = error ?? reason;
  return html`<main class="sign-in">
    <form class="card" onSubmit=${submit} novalidate>
      <h1>Sign in</h1>
      <p class="muted">
        With the API key that your administrator has given you. It is kept until you sign out or close this tab.
      </p>
      <label for="key">API key</label>
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
        onInput=${(event: InputEvent) => setKey((event.target as HTMLInputElement).value)}
      />
      <p id="key-message" class=${error ? 'message error' : 'message'} role="alert">${message}</p>
      <button class="button primary" disabled=${isBusy}>${isBusy ? 'Signing in…' : 'Sign in'}</button>
    </form>
  </main>`;
}

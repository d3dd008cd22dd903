import type { Key } from './access.ts';
import { Api } from './api.ts';
import type { OpenApi } from './document.ts';
import { type Model, readModel } from './model.ts';

const storageName = 'console-key';

/** A user who has signed in. */
export interface Session {
  readonly api: Api;
  readonly key: Key;
  readonly model: Model;
}

/** The key of this tab: it ends with the tab, and no other site, and no cookie, ever has it. */
export const storedKey = (): string | undefined => sessionStorage.getItem(storageName) ?? undefined;

export const forgetKey = (): void => sessionStorage.removeItem(storageName);

/**
 * Signs in.
 *
 * @param onEnd is told when the key is refused later on
 * @throws Refusal (401) where the key is not valid, NoAnswer
 */
export async function signIn(secret: string, onEnd: () => void): Promise<Session> {
  const api = new Api(secret, onEnd);
  const [key, document] = await Promise.all([api.get<Key>('/api/key'), api.get<OpenApi>('/openapi.json')]);
  sessionStorage.setItem(storageName, secret);
  return { api, key, model: readModel(document) };
}

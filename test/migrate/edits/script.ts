import { expect } from 'vitest';
import { parse } from 'yaml';

import { outcomeOf } from '../../states/claims.ts';
import { actorOf, testKey } from '../../support/server.ts';
import { ask } from '../specs.ts';

type Body = Record<string, unknown>;

/** A record that a script has named. */
interface Named {
  resource: string;
  readonly id: string;
  readonly isSingleton: boolean;
}

/** The name that a script gives to the record of a response. */
interface Bind {
  readonly name: string;
  readonly resource: string;
}

const list = (text: string): string[] => text.split(',').map((name) => name.trim());

/**
 * Requests, each on a line, with ` => ` before what is expected: a part of the record, a status and a code, or the names of the records in a list.
 *
 * - `a = order { amount: 3 }` creates a record, or reads that of settings; `$a` is its id, `$actor` who asks.
 * - `a` reads it, `a: { amount: 4 }` updates it, `a.submit { … }` is an operation, `a.delete` deletes it, `a is bill` renames its resource.
 * - `a.undo` undoes the last event of it, `a.undo 1` the first one.
 * - `order?sort=amount` lists.
 */
export class Script {
  readonly #area: string;
  readonly #named = new Map<string, Named>();

  constructor(area: string) {
    this.#area = area;
  }

  /** The records so far of some resources, by their names; undefined is one that is not found. */
  async read(url: string, isRead: (resource: string) => boolean): Promise<Map<string, Body | undefined>> {
    const records = new Map<string, Body | undefined>();
    for (const [name, named] of this.#named) {
      if (!isRead(named.resource)) continue;
      const { status, body } = await ask(url, 'GET', this.#urlOf(named));
      expect(status, `${name}: ${JSON.stringify(body)}`).toBeOneOf([200, 404]);
      records.set(name, status === 200 ? body : undefined);
    }
    return records;
  }

  async run(url: string, text: string): Promise<void> {
    for (const line of text.split('\n').map((one) => one.trim())) {
      if (line === '') continue;
      const [command = '', expected] = line.split(' => ');
      try {
        await this.#do(url, command, expected);
      } catch (error) {
        throw new Error(`${line}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  async #do(url: string, command: string, expected: string | undefined): Promise<void> {
    const renamed = /^(\w+) is ([\w-]+)$/.exec(command);
    if (renamed) {
      this.#get(renamed[1]).resource = renamed[2] as string;
      return;
    }
    const [method, path, body, bind] = await this.#requestOf(url, command);
    const answer = await ask(url, method, path, body);
    const outcome = outcomeOf(answer);
    if (expected === undefined) expect(outcome, JSON.stringify(answer.body)).toBeOneOf([200, 201]);
    else if (expected.startsWith('[')) {
      const names = new Map([...this.#named].map(([name, { id }]) => [id, name]));
      const { data = [] } = answer.body as { data?: { id: string }[] };
      expect(
        data.map(({ id }) => names.get(id)),
        JSON.stringify(answer.body),
      ).toEqual(list(expected.slice(1, -1)).filter((name) => name !== ''));
    } else if (expected.startsWith('{')) {
      expect(outcome, JSON.stringify(answer.body)).toBeOneOf([200, 201]);
      expect(answer.body).toMatchObject(this.#yaml(expected));
    } else expect(`${answer.status} ${outcome}`, JSON.stringify(answer.body)).toBe(expected);
    if (bind && answer.status < 300)
      this.#named.set(bind.name, {
        resource: bind.resource,
        id: String(answer.body['id']),
        isSingleton: method === 'GET',
      });
  }

  async #requestOf(url: string, command: string): Promise<[string, string, (object | undefined)?, Bind?]> {
    const [, name, resource = '', values] = /^(\w+) = ([\w-]+)(?: (\{.*\}))?$/.exec(command) ?? [];
    if (name !== undefined) {
      const bind = { name, resource };
      return values === undefined
        ? ['GET', this.#path(resource), undefined, bind]
        : ['POST', this.#path(resource), this.#yaml(values), bind];
    }
    const [, listed, query] = /^([\w-]+)\?(.*)$/.exec(command) ?? [];
    if (listed !== undefined) return ['GET', `${this.#path(listed)}?${this.#filled(query ?? '')}`];
    const [, one, operation, rest] = /^(\w+)(?:\.([\w-]+)|:)?(?: (.+))?$/.exec(command) ?? [];
    const named = this.#get(one);
    const { resource: own, id } = named;
    const path = `${this.#path(own)}/${id}`;
    if (operation === 'delete') return ['DELETE', path];
    if (operation === 'undo') return ['POST', `/api/events/${await this.#event(url, id, rest)}/undo`];
    if (operation !== undefined)
      return ['POST', `${path}/${operation}`, rest === undefined ? undefined : this.#yaml(rest)];
    return rest === undefined ? ['GET', this.#urlOf(named)] : ['PATCH', path, this.#yaml(rest)];
  }

  async #event(url: string, id: string, place: string | undefined): Promise<number> {
    const { body } = await ask(url, 'GET', `/api/events?record=${id}&sort=number`);
    const event = (body['data'] as { number: number }[]).at(place === undefined ? -1 : Number(place) - 1);
    if (!event) throw new Error(`${id} has no such event.`);
    return event.number;
  }

  #get(name: string | undefined): Named {
    const named = this.#named.get(name ?? '');
    if (!named) throw new Error(`Nothing is called ${name}.`);
    return named;
  }

  #urlOf({ resource, id, isSingleton }: Named): string {
    return isSingleton ? this.#path(resource) : `${this.#path(resource)}/${id}`;
  }

  #path(resource: string): string {
    return `/api/${this.#area}/${resource}`;
  }

  #filled(text: string): string {
    return text.replaceAll(/\$(\w+)/g, (_, name: string) => (name === 'actor' ? actorOf(testKey) : this.#get(name).id));
  }

  #yaml(text: string): object {
    return parse(this.#filled(text)) as object;
  }
}

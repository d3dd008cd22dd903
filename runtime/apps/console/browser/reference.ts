import { html } from 'htm/preact';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { allows, type Api, type Key, type Page, type RecordData } from './api.ts';
import type { Field, Model, Resource } from './model.ts';
import { namingFields, recordName } from './name.ts';
import { hrefOf } from './route.ts';

/** A user who has signed in. */
export interface Session {
  readonly api: Api;
  readonly key: Key;
  readonly model: Model;
}

/** A record that another one names, as it is shown. */
interface Target {
  readonly label: string;
  /** The page that shows it; undefined if the key may not read it. */
  readonly href?: string | undefined;
}

/** A request may ask for so many ids. */
const maxIds = 100;

/** Finds out what the records are called that others name. It keeps that: a page has one of its own. */
export class References {
  readonly api: Api;
  readonly #session: Session;
  readonly #known = new Map<string, Target>();
  readonly #loading = new Map<string, Promise<void>>();
  /** The ids that the next request for a resource asks for. */
  readonly #waiting = new Map<Resource, { readonly ids: string[]; readonly read: Promise<void> }>();

  constructor(session: Session) {
    this.api = session.api;
    this.#session = session;
  }

  /** The resource that a reference names, if the key may read it. */
  resourceOf(route: string | undefined): Resource | undefined {
    const resource = this.#session.model.resources.get(route ?? '');
    return resource && allows(this.#session.key, resource.route, 'read') ? resource : undefined;
  }

  /** The lists of records that name a record of a resource, each with the field that does. */
  listsNaming(resource: Resource): readonly (readonly [Resource, Field])[] {
    return [...this.#session.model.resources.keys()].flatMap((route) => {
      const other = this.resourceOf(route);
      // The API lists the line items of one parent, not those of all parents that name a record.
      if (other?.kind !== 'record' || !other.can.list) return [];
      const fields = other.fields.filter(({ references }) => references === resource.route);
      return fields.map((field) => [other, field] as const);
    });
  }

  /** A record, as far as it is known by now. */
  known(route: string, id: string): Target | undefined {
    return this.#known.get(`${route} ${id}`);
  }

  /** Keeps the name of a record that was read. */
  learn(resource: Resource, record: RecordData): void {
    const id = String(record['id']);
    const label = recordName(resource, record) ?? id;
    this.#known.set(`${resource.route} ${id}`, { label, href: hrefOf(resource.route, id) });
  }

  /** Finds out about a record. Its label is its id if it cannot be read. */
  load(route: string, id: string): Promise<void> {
    const key = `${route} ${id}`;
    const loading = this.#loading.get(key) ?? this.#load(route, id).catch(() => {});
    this.#loading.set(key, loading);
    return loading.then(() => {
      if (!this.#known.has(key)) this.#known.set(key, { label: id });
    });
  }

  async #load(route: string, id: string): Promise<void> {
    const resource = this.resourceOf(route);
    if (!resource?.idForm.test(id)) return;
    // The API reads no single line item, and so does not tell which parent it belongs to.
    if (resource.kind === 'line-item') return;
    if (resource.kind === 'singleton')
      this.#known.set(`${route} ${id}`, { label: resource.title, href: hrefOf(route) });
    else if (resource.can.list) await this.#readSoon(resource, id);
    else this.learn(resource, await this.api.get(`${resource.path}/${id}`));
  }

  /** Reads a record together with the others of its resource that are asked for at once. */
  #readSoon(resource: Resource, id: string): Promise<void> {
    const waiting = this.#waiting.get(resource);
    if (waiting && waiting.ids.length < maxIds) {
      waiting.ids.push(id);
      return waiting.read;
    }
    const ids = [id];
    const read = Promise.resolve().then(() => {
      if (this.#waiting.get(resource)?.ids === ids) this.#waiting.delete(resource);
      return this.#read(resource, ids);
    });
    this.#waiting.set(resource, { ids, read });
    return read;
  }

  async #read(resource: Resource, ids: readonly string[]): Promise<void> {
    const fields = ['id', ...namingFields(resource).map(({ name }) => name)].join(',');
    const query = new URLSearchParams({ 'id[in]': ids.join(','), fields, limit: String(maxIds) });
    const { data } = await this.api.get<Page>(`${resource.path}?${query}`);
    for (const record of data) this.learn(resource, record);
  }
}

/** For the components of a page: the records that its fields name. */
export const ReferencesContext = createContext<References>(undefined as never);

/** A record that another one names, once it is known. An empty id names none. */
export function useTarget(route: string | undefined, id: string): Target | undefined {
  const references = useContext(ReferencesContext);
  const [, redraw] = useState({});
  const isNamed = route !== undefined && id !== '';
  const target = isNamed ? references.known(route, id) : undefined;
  useEffect(() => {
    if (!isNamed || target) return;
    let isWanted = true;
    void references.load(route, id).then(() => isWanted && redraw({}));
    return () => {
      isWanted = false;
    };
  }, [references, route, id]);
  return target;
}

interface RecordLinkProps {
  /** The route of its resource. */
  readonly route: string;
  readonly id: string;
  /** It stands in a link to something else. */
  readonly isText?: boolean;
}

/** The name of a record, and the way to it. */
export function RecordLink({ route, id, isText = false }: RecordLinkProps): VNode {
  const { label, href } = useTarget(route, id) ?? { label: '…' };
  const text = html`<bdi class=${label === id ? 'mono' : undefined}>${label}</bdi>`;
  return href === undefined || isText ? text : html`<a class="record-link" href=${href}>${text}</a>`;
}

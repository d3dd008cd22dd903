import { html } from 'htm/preact';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { allows, type Api, type Key, type Page, type RecordData } from './api.ts';
import { type Field, fieldOf, type Model, type Resource } from './model.ts';
import { hasPaths, joinName, namingFields, recordName } from './name.ts';
import { hrefOf } from './route.ts';
import { textOf } from './value-text.ts';

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
  readonly #targets = new Map<string, Target>();
  readonly #loading = new Map<string, Promise<void>>();
  /** The names that are read from other records, too. */
  readonly #naming = new Map<string, Promise<void>>();
  /** Records that were read, of which names are made. */
  readonly #records = new Map<string, RecordData>();
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

  /** The route of the resource that an id is of, among those that a reference names: the first if it is of none. */
  routeOf(routes: readonly string[], id: string): string | undefined {
    return routes.find((route) => this.#session.model.resources.get(route)?.idForm.test(id)) ?? routes[0];
  }

  /** The resource with a path of the API, if the key may read it. */
  resourceAt(path: string | undefined): Resource | undefined {
    const resource = [...this.#session.model.resources.values()].find((one) => one.path === path);
    return this.resourceOf(resource?.route);
  }

  /** The lists of records that name a record of a resource, each with the field that does. */
  listsNaming(resource: Resource): readonly (readonly [Resource, Field])[] {
    return [...this.#session.model.resources.keys()].flatMap((route) => {
      const other = this.resourceOf(route);
      if (!other?.can.list) return [];
      // The API lists the line items of one parent; those of all parents that name a record, if it has a name for them.
      const isListed = ({ references, inverse }: Field): boolean =>
        references?.includes(resource.route) === true && (other.kind === 'record' || inverse !== undefined);
      return other.fields.filter(isListed).map((field) => [other, field] as const);
    });
  }

  /** A record, as far as it is known by now. */
  target(route: string, id: string): Target | undefined {
    return this.#targets.get(`${route} ${id}`);
  }

  /** Keeps a record that was read with its naming fields, and its name. */
  learn(resource: Resource, record: RecordData): void {
    const id = String(record['id']);
    const key = `${resource.route} ${id}`;
    const name = (label: string): void => void this.#targets.set(key, { label, href: hrefOf(resource.route, id) });
    this.#records.set(key, record);
    if (hasPaths(resource)) this.#naming.set(key, this.nameOf(resource, record).then(name));
    else name(recordName(resource, record) ?? id);
  }

  /** Finds out about a record. Its label is its id if it cannot be read. */
  load(route: string, id: string): Promise<void> {
    const key = `${route} ${id}`;
    const loading = this.#loading.get(key) ?? this.#load(route, id).catch(() => {});
    this.#loading.set(key, loading);
    return loading.then(() => {
      if (!this.#targets.has(key)) this.#targets.set(key, { label: id });
    });
  }

  async #load(route: string, id: string): Promise<void> {
    const resource = this.resourceOf(route);
    if (!resource?.idForm.test(id)) return;
    // The API reads no single line item, and so does not tell which parent it belongs to.
    if (resource.kind === 'line-item') return;
    if (resource.kind === 'singleton')
      this.#targets.set(`${route} ${id}`, { label: resource.title, href: hrefOf(route) });
    else if (await this.#record(resource, id)) await this.#naming.get(`${route} ${id}`);
  }

  /** Reads the naming fields of a record, unless that was done. Undefined if it is not there. */
  async #record(resource: Resource, id: string): Promise<RecordData | undefined> {
    const key = `${resource.route} ${id}`;
    if (this.#records.has(key)) return this.#records.get(key);
    if (resource.can.list) await this.#readSoon(resource, id);
    else this.learn(resource, await this.api.get(`${resource.path}/${id}`));
    return this.#records.get(key);
  }

  /** The name of a record; its id if it has none. Records that it names are read together with those of others. */
  async nameOf(resource: Resource, record: Partial<RecordData>): Promise<string> {
    const { recordTitle } = resource;
    const id = String(record['id']);
    if (!hasPaths(resource)) return recordName(resource, record) ?? id;
    const parts = recordTitle.map((path) => this.#textAt(resource, record, path.split('.')).catch(() => ''));
    return joinName(resource, await Promise.all(parts)) ?? recordName(resource, record) ?? id;
  }

  /** The text at the end of a path through references; empty if it leads nowhere. */
  async #textAt(resource: Resource, record: Partial<RecordData>, path: readonly string[]): Promise<string> {
    const [name = '', ...rest] = path;
    const field = fieldOf(resource, name);
    const text = field ? textOf(record[name], field) : '';
    if (rest.length === 0 || text === '') return text;
    const target = this.resourceOf(this.routeOf(field?.references ?? [], text));
    const next = target?.idForm.test(text) ? await this.#record(target, text) : undefined;
    return target && next ? this.#textAt(target, next, rest) : '';
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
    if (resource.archive) query.set('archived', 'any');
    const { data } = await this.api.get<Page>(`${resource.path}?${query}`);
    for (const record of data) this.learn(resource, record);
  }
}

/** For the components of a page: the records that its fields name. */
export const ReferencesContext = createContext<References>(undefined as never);

/** A record that another one names, once it is known. An empty id names none. @param routes of the resources that it may be of */
export function useTarget(routes: readonly string[] | undefined, id: string): Target | undefined {
  const references = useContext(ReferencesContext);
  const route = references.routeOf(routes ?? [], id);
  const [, redraw] = useState({});
  const isNamed = route !== undefined && id !== '';
  const target = isNamed ? references.target(route, id) : undefined;
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

/** The name of a record, once that is known; undefined for no record. */
export function useName(resource: Resource, record: Partial<RecordData> | undefined): string | undefined {
  const references = useContext(ReferencesContext);
  const [name, setName] = useState<string>();
  const values = record && ['id', ...resource.titleFields.map((field) => field.name)].map((field) => record[field]);
  useEffect(() => {
    if (!record || !hasPaths(resource)) return;
    let isWanted = true;
    void references.nameOf(resource, record).then((text) => isWanted && setName(text));
    return () => {
      isWanted = false;
    };
  }, [references, JSON.stringify(values)]);
  if (!record || hasPaths(resource)) return name;
  return recordName(resource, record) ?? String(record['id']);
}

/** The name of a record that was read. */
export function RecordName({ resource, record }: { resource: Resource; record: RecordData }): VNode {
  const name = useName(resource, record);
  return html`<bdi class=${name === record['id'] ? 'muted mono' : undefined} aria-busy=${name === undefined}>
    ${name ?? '…'}
  </bdi>`;
}

interface RecordLinkProps {
  /** The route of its resource, or of those that it may be of. */
  readonly route: string | readonly string[];
  readonly id: string;
  /** It stands in a link to something else. */
  readonly isText?: boolean;
}

/** The name of a record, and the way to it. */
export function RecordLink({ route, id, isText = false }: RecordLinkProps): VNode {
  const { label, href } = useTarget([route].flat(), id) ?? {};
  const text = html`<bdi class=${label === id ? 'mono' : undefined} aria-busy=${label === undefined}
    >${label ?? '…'}</bdi
  >`;
  return href === undefined || isText ? text : html`<a class="record-link" href=${href}>${text}</a>`;
}

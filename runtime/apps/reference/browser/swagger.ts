/** The parts of Swagger UI that are used here; it has no types of its own. */

/** A value of Immutable.js, which holds the state. */
export interface Immutable {
  readonly size: number;
  get(key: string): unknown;
  getIn(path: readonly string[]): unknown;
  keySeq(): { toArray(): string[] };
  map(change: (value: Immutable, key: string) => Immutable): Immutable;
  filter(keep: (value: Immutable) => boolean): Immutable;
  update(key: string, change: (value: Immutable) => Immutable): Immutable;
}

export type Element = unknown;
export type Props = Readonly<Record<string, unknown>>;
export type Component = (props: Props) => Element;

export interface System {
  readonly React: {
    readonly Fragment: Component;
    createElement(component: Component | string, props?: Props | null, ...children: Element[]): Element;
  };
  readonly Im: { fromJS(value: unknown): Immutable };
  readonly specSelectors: { taggedOperations(): Immutable };
  readonly layoutSelectors: { currentFilter(): boolean | string | undefined };
  readonly layoutActions: { updateFilter(filter: string): void };
  getComponent(name: string, isContainer?: boolean): Component;
  getConfigs(): Props;
}

type Action = (payload: unknown) => unknown;

/** A plugin that adds to Swagger UI, or changes it. */
export interface Plugin {
  readonly fn?: Readonly<Record<string, unknown>>;
  readonly wrapComponents?: Readonly<Record<string, (original: Component, system: System) => Component>>;
  readonly statePlugins?: {
    readonly auth: { readonly wrapActions: Readonly<Record<string, (original: Action) => Action>> };
  };
}

declare global {
  /** Made by the script that is loaded before these. */
  const SwaggerUIBundle: (options: Props) => { preauthorizeApiKey(scheme: string, key: string): void };
}

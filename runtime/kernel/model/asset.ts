/** A file for browsers and tools: a page, a script, a document. It needs no key. */
export interface Asset {
  /** The path of its URL. */
  readonly path: string;
  /** Its media type, with a charset if it is text. */
  readonly type: string;
  /** Read when it is first requested: a getter may load it. */
  readonly body: Buffer | string;
  /** Further headers: those of a page have a Content-Security-Policy. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A second path, with the parameter `version`: at that of this version, the asset never changes. */
  readonly versioned?: { readonly path: string; readonly version: string };
  /** The page has its places in the fragment of its URL: a browser that asks for one as a path below is led to it. */
  readonly hasPlaces?: boolean;
}

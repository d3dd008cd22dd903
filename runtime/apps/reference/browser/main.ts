import { type OpenApi, removeVariables, takeChapters } from './document.ts';
import { guidePlugin } from './guide.ts';
import { layoutPlugin } from './layout.ts';
import { repair } from './repair.ts';
import { curlOf, exampleCall } from './samples.ts';
import { searchPlugin, tagOrder } from './search.ts';
import type { Component, Immutable, Plugin, System } from './swagger.ts';

/** The name of the key in the session storage, which ends with the tab. */
const storageName = 'reference-key';

/** The URL of the service, which a proxy may have put behind a prefix: that of this page without its last segment. */
const base = new URL('.', location.href.replace(/[?#].*$/s, '')).href.replace(/\/$/, '');

/** Keeps the key for this tab alone. */
const keyPlugin: Plugin = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (payload) => {
          const [scheme] = Object.values(payload as Record<string, { readonly value?: unknown }>);
          if (typeof scheme?.value === 'string') sessionStorage.setItem(storageName, scheme.value);
          return original(payload);
        },
        logout: (original) => (payload) => {
          sessionStorage.removeItem(storageName);
          return original(payload);
        },
      },
    },
  },
};

/** The command of a request without its key: Swagger UI would show that. */
function commandOf(request: Immutable): string {
  const [method, url, body] = ['method', 'url', 'body'].map((name) => request.get(name));
  const type = request.getIn(['headers', 'Content-Type']);
  return curlOf({
    method: String(method).toLowerCase(),
    url: String(url),
    headers: typeof type === 'string' ? { 'Content-Type': type } : {},
    ...(typeof body === 'string' && { body }),
  });
}

/** A sample of each operation, and of each request that was sent. */
function samplesPlugin(document: OpenApi): Plugin {
  const samples =
    (original: Component, { React, Im, getComponent }: System): Component =>
    (props) => {
      const { createElement, Fragment } = React;
      // Beside its answer, Swagger UI shows the request that was sent.
      if (props['tryItOutResponse']) return createElement(original, props);
      const request = Im.fromJS(exampleCall(document, base, String(props['method']), String(props['path'])));
      const snippet = createElement(getComponent('RequestSnippets'), { ...props, request });
      return createElement(
        Fragment,
        null,
        createElement('div', { className: 'samples' }, snippet),
        createElement(original, props),
      );
    };
  return { fn: { requestSnippetGenerator_curl: commandOf }, wrapComponents: { responses: samples } };
}

async function start(): Promise<void> {
  const response = await fetch(`${base}/openapi.json`);
  if (!response.ok) throw new Error(`The OpenAPI document could not be loaded: ${response.status}.`);
  const spec = (await response.json()) as OpenApi;
  spec.servers = [{ url: base }];
  removeVariables(spec);
  window.document.title = `${spec.info.title}: API reference`;
  const ui = SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    plugins: [layoutPlugin, searchPlugin(spec), guidePlugin(takeChapters(spec)), samplesPlugin(spec), keyPlugin],
    filter: true,
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    defaultModelRendering: 'example',
    displayRequestDuration: true,
    tagsSorter: tagOrder(spec),
    validatorUrl: null,
    requestSnippetsEnabled: true,
    requestSnippets: {
      generators: { curl: { title: 'curl', syntax: 'bash' } },
      defaultExpanded: true,
      languages: ['curl'],
    },
    onComplete: () => {
      const key = sessionStorage.getItem(storageName);
      const [scheme] = Object.keys(spec.components.securitySchemes);
      if (key !== null && scheme !== undefined) ui.preauthorizeApiKey(scheme, key);
    },
  });
}

const place = window.document.querySelector('#reference') as HTMLElement;
new MutationObserver(() => repair(place)).observe(place, { childList: true, subtree: true });
start().catch((error: unknown) => {
  place.textContent = error instanceof Error ? error.message : String(error);
});

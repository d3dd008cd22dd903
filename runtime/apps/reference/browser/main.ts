import { exampleCall, sentCall } from './call.ts';
import type { OpenApi } from './document.ts';
import { curlOf, typescriptOf } from './samples.ts';
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

/** Samples of each operation, and of each request that was sent. */
function samplesPlugin(document: OpenApi): Plugin {
  const callOf = (request: Immutable) =>
    sentCall(
      document,
      base,
      String(request.get('method')).toLowerCase(),
      String(request.get('url')),
      request.get('body'),
    );
  const samples =
    (original: Component, system: System): Component =>
    (props) => {
      const { createElement, Fragment } = system.React;
      // Beside its answer, Swagger UI shows the request that was sent.
      if (props['tryItOutResponse']) return createElement(original, props);
      const call = exampleCall(document, String(props['method']), String(props['path']));
      const query = new URLSearchParams(call.query).toString();
      const url = `${base}${call.path}${query && `?${query}`}`;
      const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
      const request = system.Im.fromJS({ method: call.method, url, headers: {}, ...body });
      return createElement(
        Fragment,
        null,
        createElement(
          'div',
          { className: 'samples' },
          createElement(system.getComponent('RequestSnippets'), { ...props, request }),
        ),
        createElement(original, props),
      );
    };
  return {
    fn: {
      requestSnippetGenerator_curl: (request: Immutable) => curlOf(callOf(request), base),
      requestSnippetGenerator_typescript: (request: Immutable) => typescriptOf(document, callOf(request), base),
    },
    wrapComponents: { responses: samples },
  };
}

/** Swagger UI has a dark style, but does not ask what the system has. */
function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => void window.document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

async function start(): Promise<void> {
  const response = await fetch(`${base}/openapi.json`);
  if (!response.ok) throw new Error(`The OpenAPI document could not be loaded: ${response.status}.`);
  const spec = (await response.json()) as OpenApi;
  spec.servers = [{ url: base }];
  window.document.title = `${spec.info.title}: API reference`;
  const ui = SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    plugins: [searchPlugin(spec), samplesPlugin(spec), keyPlugin],
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
      generators: {
        curl: { title: 'curl', syntax: 'bash' },
        typescript: { title: 'TypeScript', syntax: 'javascript' },
      },
      defaultExpanded: true,
      languages: ['curl', 'typescript'],
    },
    onComplete: () => {
      const key = sessionStorage.getItem(storageName);
      const [scheme] = Object.keys(spec.components.securitySchemes);
      if (key !== null && scheme !== undefined) ui.preauthorizeApiKey(scheme, key);
    },
  });
}

followTheme();
start().catch((error: unknown) => {
  const place = window.document.querySelector('#reference') as HTMLElement;
  place.textContent = error instanceof Error ? error.message : String(error);
});

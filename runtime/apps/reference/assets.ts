import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Asset } from '../../kernel/model/asset.ts';
import { escapeHtml, pageHeaders } from '../page.ts';
import { browserCode, moduleExtension } from '../browser-code.ts';

/** The path of the reference; its files are below. */
const root = '/docs';

const browser = new URL('browser/', import.meta.url);

/** The page. Its URLs are relative, so that it works behind the prefix of a proxy. */
const page = (title: string, hasConsole: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/tokens.css">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/style.css">
<script type="module" src="docs/theme.js"></script>
<script defer src="docs/swagger-ui-bundle.js"></script>
<script type="module" src="docs/main.js"></script>
</head>
<body>
<header>
<span><strong>${escapeHtml(title)}</strong> <span class="muted">API reference</span></span>
<nav aria-label="Pages">
${hasConsole ? '<a href="console">Console</a>' : ''}
<a href="openapi.json">OpenAPI</a>
</nav>
</header>
<main id="reference"></main>
<noscript>The reference needs JavaScript. The OpenAPI document is at <a href="openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A file that is read when it is first requested. */
const fileAt = (name: string, read: () => Buffer | string): Asset => ({
  path: `${root}/${name}`,
  type: types[name.slice(name.lastIndexOf('.') + 1)] as string,
  get body() {
    return read();
  },
});

/** The files of Swagger UI. `npm pack` copies them, because the package of Swagger UI brings a postinstall script. */
const copies = new URL('swagger-ui/', import.meta.url);
const swaggerFile = (name: string): URL =>
  existsSync(copies) ? new URL(name, copies) : new URL(import.meta.resolve(`swagger-ui-dist/${name}`));

const readPackageFile = (name: string): string => readFileSync(swaggerFile(name), 'utf8');

const ownModule = (name: string): Asset =>
  fileAt(name.replace(/\.ts$/, '.js'), () =>
    browserCode(new URL(name, browser)).replaceAll(/^(import .* from '\.\/[\w-]+)\.ts';$/gm, "$1.js';"),
  );

/** The files of the console whose look the reference has. */
const consoleFile = (name: string): Asset =>
  fileAt(name, () => readFileSync(new URL(`../console/browser/${name}`, import.meta.url)));

/**
 * The files of the reference: Swagger UI over the OpenAPI document.
 *
 * @param title of the service
 * @param hasConsole whether the page leads to it
 */
export const referenceAssets = (title: string, hasConsole: boolean): readonly Asset[] => [
  { path: root, type: 'text/html; charset=utf-8', body: page(title, hasConsole), headers: pageHeaders() },
  fileAt('swagger-ui-bundle.js', () => readPackageFile('swagger-ui-bundle.js')),
  // Each rule of our style is stronger than any of a layer.
  fileAt('swagger-ui.css', () => `@layer swagger {\n${readPackageFile('swagger-ui.css')}\n}`),
  ...readdirSync(browser)
    .filter((name) => name.endsWith(moduleExtension) && !name.endsWith('.d.ts'))
    .map(ownModule),
  fileAt('style.css', () => readFileSync(new URL('style.css', browser))),
  ...['tokens.css', 'icon.svg'].map(consoleFile),
];

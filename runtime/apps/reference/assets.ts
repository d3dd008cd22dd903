import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Asset } from '../../kernel/model/asset.ts';
import { pageHeaders } from '../page.ts';
import { browserCode, moduleExtension } from '../browser-code.ts';

/** The path of the reference; its files are below. */
const root = '/docs';

const browser = new URL('browser/', import.meta.url);

/** Its URLs are relative, so that it works behind the prefix of a proxy. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/style.css">
<script defer src="docs/swagger-ui-bundle.js"></script>
<script type="module" src="docs/main.js"></script>
</head>
<body>
<main id="reference"></main>
<noscript>The reference needs JavaScript. The OpenAPI document is at <a href="openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
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

const packageFile = (name: string): Asset => fileAt(name, () => readFileSync(swaggerFile(name)));

const ownModule = (name: string): Asset =>
  fileAt(name.replace(/\.ts$/, '.js'), () =>
    browserCode(new URL(name, browser)).replaceAll(/^(import .* from '\.\/[\w-]+)\.ts';$/gm, "$1.js';"),
  );

/** The files of the reference: Swagger UI over the OpenAPI document. */
export const referenceAssets = (): readonly Asset[] => [
  { path: root, type: 'text/html; charset=utf-8', body: page, headers: pageHeaders() },
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map(packageFile),
  ...readdirSync(browser)
    .filter((name) => name.endsWith(moduleExtension) && !name.endsWith('.d.ts'))
    .map(ownModule),
  fileAt('style.css', () => readFileSync(new URL('style.css', browser))),
];

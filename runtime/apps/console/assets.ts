import { hash } from 'node:crypto';
import type { Asset } from '../../kernel/model/asset.ts';
import type { Table } from '../../kernel/model/table.ts';
import { pageHead, pageHeaders } from '../page.ts';
import { consoleScripts } from './scripts.ts';
import { icon, styleSheet } from './sources.ts';

/** The path of the console; its files are below. */
const root = '/console';

/** A name for the content of all files. */
const versionOf = (files: readonly string[]): string => hash('sha256', files.join('\0'), 'base64url').slice(0, 16);

/** The page. Its URLs are relative, so that it works behind the prefix of a proxy. */
const page = (title: string, version: string): string => `${pageHead(title)}
<link rel="stylesheet" href="console/version/${version}/style.css">
<link rel="preload" href="openapi.json" as="fetch" crossorigin="anonymous">
<script type="module" src="console/version/${version}/main.js"></script>
</head>
<body>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;

/**
 * The files of the console. They are made when they are first requested.
 *
 * @param title of the service
 * @param tables whose rules its forms check
 */
export function consoleAssets(title: string, tables: readonly Table[]): readonly Asset[] {
  const scripts = consoleScripts(tables);
  let version: string | undefined;
  const currentVersion = (): string => (version ??= versionOf([...scripts.map(({ code }) => code()), styleSheet()]));
  // Imports are relative: a script that is loaded from the path of a version imports others of it.
  const versioned = (name: string, type: string, read: () => string): Asset => ({
    path: `${root}/${name}`,
    versioned: {
      path: `${root}/version/:version/${name}`,
      get version() {
        return currentVersion();
      },
    },
    type: `${type}; charset=utf-8`,
    get body() {
      return read();
    },
  });
  return [
    {
      path: root,
      type: 'text/html; charset=utf-8',
      get body() {
        return page(title, currentVersion());
      },
      hasPlaces: true,
      headers: pageHeaders(["require-trusted-types-for 'script'", "trusted-types 'none'"]),
    },
    ...scripts.map(({ name, code }) => versioned(name, 'text/javascript', code)),
    versioned('style.css', 'text/css', styleSheet),
    {
      path: `${root}/icon.svg`,
      type: 'image/svg+xml',
      get body() {
        return icon();
      },
    },
  ];
}

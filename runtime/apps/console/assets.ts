import type { Asset } from '../../kernel/model/asset.ts';
import type { Table } from '../../kernel/model/table.ts';
import { pageHead, pageHeaders } from '../page.ts';
import { browserFiles, browserModules, namesLoadedWith, readBrowserFile, versionOf } from './modules.ts';

/** The path of the console; its files are below. */
const root = '/console';

/** The style sheet that all pages of the service share. */
const base = 'tokens.css';

interface PageParts {
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  readonly version: string;
}

/** The page. Its URLs are relative, so that it works behind the prefix of a proxy; the modules that it begins with are loaded all at once. */
function page(title: string, { modules, styles, version }: PageParts): string {
  const files = `console/version/${version}`;
  return `${pageHead(title)}
${styles.map((name) => `<link rel="stylesheet" href="${files}/${name}">`).join('\n')}
${modules.map((name) => `<link rel="modulepreload" href="${files}/${name}">`).join('\n')}
<script type="module" src="${files}/main.js"></script>
</head>
<body>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}

/**
 * The files of the console. They are read when they are first requested.
 *
 * @param title of the service
 * @param tables whose rules its forms check
 */
export function consoleAssets(title: string, tables: readonly Table[]): readonly Asset[] {
  const modules = browserModules(tables);
  // The base comes first: rules of the other sheets are to be stronger.
  const styles = [base, ...browserFiles('.css').filter((name) => name !== base)];
  let version: string | undefined;
  const currentVersion = (): string => (version ??= versionOf(modules));
  // Imports are relative to their modules: one that is loaded from the path of a version imports others of it.
  const paths = (name: string): Pick<Asset, 'path' | 'versioned'> => ({
    path: `${root}/${name}`,
    versioned: {
      path: `${root}/version/:version/${name}`,
      get version() {
        return currentVersion();
      },
    },
  });
  return [
    {
      path: root,
      type: 'text/html; charset=utf-8',
      get body() {
        return page(title, { modules: namesLoadedWith('main.js', modules), styles, version: currentVersion() });
      },
      hasPlaces: true,
      headers: pageHeaders(["require-trusted-types-for 'script'", "trusted-types 'none'"]),
    },
    ...modules.map(({ name, code }): Asset => ({
      ...paths(name),
      type: 'text/javascript; charset=utf-8',
      get body() {
        return code();
      },
    })),
    ...styles.map((name): Asset => ({
      ...paths(name),
      type: 'text/css; charset=utf-8',
      get body() {
        return readBrowserFile(name);
      },
    })),
    {
      path: `${root}/icon.svg`,
      type: 'image/svg+xml',
      get body() {
        return readBrowserFile('icon.svg');
      },
    },
  ];
}

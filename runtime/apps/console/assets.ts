import type { Asset } from '../../kernel/model/asset.ts';
import type { Table } from '../../kernel/model/table.ts';
import { pageHead, pageHeaders } from '../page.ts';
import { browserFiles, browserModules, namesLoadedWith, readBrowserFile } from './modules.ts';

/** The path of the console; its files are below. */
const root = '/console';

/** The page. Its URLs are relative, so that it works behind the prefix of a proxy; the modules that it begins with are loaded all at once. */
function page(title: string, modules: readonly string[], styles: readonly string[]): string {
  return `${pageHead(title)}
${styles.map((name) => `<link rel="stylesheet" href="console/${name}">`).join('\n')}
${modules.map((name) => `<link rel="modulepreload" href="console/${name}">`).join('\n')}
<script type="module" src="console/main.js"></script>
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
  const styles = browserFiles('.css');
  return [
    {
      path: root,
      type: 'text/html; charset=utf-8',
      get body() {
        return page(title, namesLoadedWith('main.js', modules), styles);
      },
      hasPlaces: true,
      headers: pageHeaders(["require-trusted-types-for 'script'", "trusted-types 'none'"]),
    },
    ...modules.map(({ name, code }): Asset => ({
      path: `${root}/${name}`,
      type: 'text/javascript; charset=utf-8',
      get body() {
        return code();
      },
    })),
    ...styles.map((name): Asset => ({
      path: `${root}/${name}`,
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

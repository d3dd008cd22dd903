import type { Asset } from '../kernel/model/asset.ts';
import { escapeHtml, pageHead, pageHeaders } from './page.ts';

const link = (href: string, title: string, text: string): string =>
  `<li><h2><a href="${href}">${title}</a></h2><p class="muted">${text}</p></li>`;

/**
 * The page at `/`: it leads people to the console and to the reference. It has the styles of the console.
 *
 * @param title of the service
 */
export const startPage = (title: string): Asset => ({
  path: '/',
  type: 'text/html; charset=utf-8',
  body: `${pageHead(title)}
<link rel="stylesheet" href="console/style.css">
<script type="module" src="docs/theme.js"></script>
</head>
<body>
<main class="sign-in">
<div class="card">
<h1>${escapeHtml(title)}</h1>
<ul>
${link('console', 'Console', 'Look at the records and edit them.')}
${link('docs', 'API reference', 'Read about every request and try it.')}
</ul>
</div>
</main>
</body>
</html>
`,
  // A program that asks for no page is led to the reference.
  headers: { ...pageHeaders(), Vary: 'Accept, Accept-Encoding' },
});

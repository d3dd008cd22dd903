import { html } from 'htm/preact';
import { render } from 'preact';
import { App } from './app.ts';
import { startRouting } from './route.ts';
import { applyTheme } from './theme.ts';

applyTheme();
startRouting();
render(html`<${App} />`, document.body);

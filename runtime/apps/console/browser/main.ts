import { html } from 'htm/preact';
import { render } from 'preact';
import { App } from './app.ts';
import { startRouting } from './route.ts';
import { loadTexts } from './texts.ts';
import { applyTheme } from './theme.ts';

/** Shows the console in the language of the browser. */
async function start(): Promise<void> {
  applyTheme();
  startRouting();
  document.documentElement.lang = await loadTexts();
  render(html`<${App} />`, document.body);
}

void start();

import { html } from 'htm/preact';
import { openModal } from '../dialog.ts';
import { Export, type ExportProps } from './export.ts';
import { Import, type ImportProps } from './import.ts';

/** Exports the records of a list. */
export const openExport = (props: Omit<ExportProps, 'close'>): Promise<string> =>
  openModal('export-title', (close) => html`<${Export} ...${{ ...props, close: () => close() }} />`);

/** Imports records. Resolves once the dialog is closed. */
export const openImport = (props: Omit<ImportProps, 'close'>): Promise<string> =>
  openModal('import-title', (close) => html`<${Import} ...${{ ...props, close: () => close() }} />`);

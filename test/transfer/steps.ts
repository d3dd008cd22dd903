import { writeFileSync } from 'node:fs';

import { Api } from '../../runtime/data/transfer/api.ts';
import { openCsv } from '../../runtime/data/transfer/csv-source.ts';
import { exportRecords } from '../../runtime/data/transfer/export.ts';
import { Import } from '../../runtime/data/transfer/import.ts';
import { openNdjson } from '../../runtime/data/transfer/ndjson-source.ts';
import { findResource } from '../../runtime/data/transfer/resource.ts';
import { testKey } from '../support/server.ts';
import { service } from '../service/generated/app.ts';

/** Imports a file as the command does, in this process. @returns how many rows are stored */
export async function importFile(url: string, name: string, file: string, parallel = 1): Promise<number> {
  const resource = findResource(service.tables, name);
  const options = { file, fields: resource.fields, renames: new Map<string, string>(), fixed: {}, delimiter: ',' };
  let stored = 0;
  const events = {
    stored: (count: number) => void (stored += count),
    rejected: () => {},
  };
  const importing = { purpose: '', parallel, namesEarlierRows: false, skipsErrors: false, wasRejected: () => false };
  const run = new Import(new Api({ url, key: testKey }), resource, importing, events);
  await run.run(file.endsWith('.csv') ? await openCsv(options) : openNdjson(options));
  return stored;
}

/** Exports to a file as the command does, in this process. @returns its text */
export async function exportFile(url: string, name: string, file: string, isForSpreadsheet = false): Promise<string> {
  const format = { format: file.endsWith('.csv') ? 'csv' : 'ndjson', delimiter: ',', isForSpreadsheet } as const;
  const parts = exportRecords(
    service.tables,
    new Api({ url, key: testKey }),
    findResource(service.tables, name),
    [],
    format,
  );
  let text = '';
  for await (const part of parts) text += part.text;
  writeFileSync(file, text);
  return text;
}

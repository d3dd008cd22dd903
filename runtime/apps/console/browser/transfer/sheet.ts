import { isEmptyRow } from '../../../../data/transfer/cells.ts';
import { CsvReader, CsvRefusal, type CsvRow } from '../../../../data/transfer/csv.ts';
import { texts } from '../texts.ts';
import { pauses } from './pauses.ts';

/** The content of a CSV file whose first row names the columns. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  /** How many rows without any value are left out. */
  readonly emptyRows: number;
}

/** A file cannot be imported. Its message says why, to people. */
class FileRefusal extends Error {}

/** A browser holds the whole of it: `npm run import` takes any. */
const maxFileMiB = 20;

/** Characters that are read between two looks at the clock. */
const chunkLength = 65_536;

/** The text of a file. One that is not UTF-8 is refused: its letters would be lost. @throws FileRefusal */
async function textOf(file: Blob): Promise<string> {
  if (file.size > maxFileMiB * 1_048_576) throw new FileRefusal(texts.transfer.tooLarge(maxFileMiB));
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new FileRefusal(texts.transfer.notReadable);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefusal(texts.transfer.notUtf8);
  }
}

/** The delimiter of a file: the one that its first line has most of. */
export function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const count = (sign: string): number => line.split(sign).length;
  return [';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}

/** Reads a file. The page stays responsive meanwhile. @throws FileRefusal; the reason of the signal */
export async function readSheet(file: Blob, signal: AbortSignal): Promise<Sheet> {
  const text = await textOf(file);
  const reader = new CsvReader(delimiterOf(text));
  const pause = pauses(signal);
  const lines: CsvRow[] = [];
  try {
    for (let at = 0; at < text.length; at += chunkLength) {
      for (const row of reader.read(text.slice(at, at + chunkLength))) lines.push(row);
      await pause();
    }
    for (const row of reader.end()) lines.push(row);
  } catch (error) {
    if (!(error instanceof CsvRefusal)) throw error;
    throw new FileRefusal(texts.transfer.atLine(error.line, texts.transfer.notCsv[error.fault]));
  }
  const [header, ...others] = lines;
  if (!header) throw new FileRefusal(texts.transfer.fileEmpty);
  const rows = others.filter(({ cells }) => !isEmptyRow(cells));
  return { columns: header.cells.map((cell) => cell ?? ''), rows, emptyRows: others.length - rows.length };
}

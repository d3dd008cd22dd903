import type { CellFault } from '../../../../data/transfer/cells.ts';
import { typedNumber } from '../../../../data/transfer/notation.ts';
import { texts } from '../texts.ts';

/** Why a text is no value of a field: it completes the title of the field, or is a sentence. */
export function cellFaultText(fault: CellFault): string {
  const { wrong } = texts;
  switch (fault.code) {
    case 'number':
      return wrong.number(typedNumber('1234.5'));
    case 'ambiguous':
      return wrong.ambiguous(fault.text.trim(), typedNumber(fault.readings.own), typedNumber(fault.readings.other));
    case 'digits':
      return wrong.tooManyDigits(typedNumber(String(fault.nearest)));
    case 'date':
      return wrong.date(new Intl.DateTimeFormat().format(new Date(2026, 10, 22)));
    case 'cellCount':
      return texts.transfer.cellCount(fault.cells, fault.columns);
    default:
      return wrong[fault.code];
  }
}

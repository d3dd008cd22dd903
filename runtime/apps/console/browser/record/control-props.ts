import type { Field } from '../model.ts';
import type { Value } from '../record-data.ts';
import type { Input } from './values.ts';

/** What a control is given. */
export interface ControlProps {
  readonly field: Field;
  readonly id: string;
  readonly input: Input;
  readonly stored: Value | undefined;
  /** Of what describes it: help and errors. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  /** Where no visible label belongs to it. */
  readonly label?: string;
  /** In a cell of a table. */
  readonly isCompact?: boolean;
  readonly suggestions?: readonly string[];
  readonly onInput: (input: Input) => void;
}

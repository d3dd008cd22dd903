import type { Field } from '../model.ts';
import type { Value } from '../record-data.ts';
import type { Input } from './values.ts';

/** The properties of a control. */
export interface ControlProps {
  readonly field: Field;
  readonly id: string;
  readonly input: Input;
  readonly stored: Value | undefined;
  /** The ids of its help and errors. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  /** For a control without a visible label. */
  readonly label?: string;
  /** In a cell of a table. */
  readonly isCompact?: boolean;
  readonly suggestions?: readonly string[];
  readonly onInput: (input: Input) => void;
}

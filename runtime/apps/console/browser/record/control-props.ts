import type { Value } from '../api.ts';
import type { Field } from '../model.ts';
import type { Input } from './values.ts';

/** The properties of a control. */
export interface ControlProps {
  readonly field: Field;
  readonly id: string;
  readonly input: Input;
  readonly base: Value | undefined;
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

/** The attributes that all controls share. */
export const common = ({ field, id, describedBy, isInvalid, label }: ControlProps): object => ({
  id,
  name: field.name,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid ? 'true' : undefined,
  'aria-required': field.required ? 'true' : undefined,
  'aria-label': label,
});

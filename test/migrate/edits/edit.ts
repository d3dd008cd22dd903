/** An edit of a spec whose tables hold rows: what `npm run changes` says of it, and what the start after it does. */
export interface Edit {
  readonly edit: string;
  /** Resources by the ends of their paths: YAML whose lines are separated by ` | `. `~/` is their area, `_N` ends their names. */
  readonly before: Texts;
  /** The resources that are different afterwards; null is one that goes. */
  readonly after: Readonly<Record<string, string | null>>;
  /** The ids of all changes, with `!` before those that break clients. */
  readonly changes: string;
  /** The requests to the former version before the edit: see `Script`. */
  readonly rows: string;
  /** The requests to the next version. */
  readonly next: string;
  /** Fields that the start changes. No other value changes. */
  readonly changed?: readonly string[];
  /** Whether servers of the former version have to be stopped. */
  readonly stops?: true;
  /** Parts of the message with which a start is refused: because of rows, or whatever these are. */
  readonly refused?: readonly string[];
  readonly blocked?: readonly string[];
  /** Whether rows refuse it behind other steps, so that a dry run does not tell. */
  readonly isLate?: true;
  /** The requests to the former version after which the start succeeds. */
  readonly mended?: string;
}

export type Texts = Readonly<Record<string, string>>;

/** The options of migrations, on which it depends how an edit is tried: those of a group are tried together. */
export type Group = 'additions' | 'incompatible' | 'refused' | 'late' | 'blocked';

export function groupOf({ refused, isLate, blocked, stops }: Edit): Group {
  if (isLate) return 'late';
  if (blocked) return 'blocked';
  if (refused) return 'refused';
  return stops ? 'incompatible' : 'additions';
}

/** The spec files of an edit whose number tells its resources from those of others. */
export function specOf(texts: Readonly<Record<string, string | null>>, number: number): Map<string, string> {
  const files = Object.entries(texts).flatMap(([name, text]) => {
    if (text === null) return [];
    const kind = /\bkind: /.test(text) ? '' : 'kind: record\n';
    const own = /\bname: \w+_N/.test(text) ? '' : `name: ${name.replaceAll('-', '_')}_N\n`;
    const yaml = `${kind}doc: Something.\n${own}${text.replaceAll(' | ', '\n')}`;
    return [
      [`e${number}/${name}`, yaml.replaceAll('~/', `e${number}/`).replaceAll(/_N(?![A-Za-z])/g, `_${number}`)] as const,
    ];
  });
  return new Map(files);
}

export const afterOf = ({ before, after }: Edit): Readonly<Record<string, string | null>> => ({ ...before, ...after });

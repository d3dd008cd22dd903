/** A setting of a server: a variable of its environment. */
export interface Setting {
  /** Empty if it is not set by default. */
  readonly default: string;
  readonly meaning: string;
  /** The form of a value. */
  readonly rule: string;
  /** @returns undefined if a text, which is not empty, breaks the rule. @throws CliError if it can say why */
  parse(text: string): unknown;
  /** Whether it has a meaning with PostgreSQL only, and is refused with SQLite. */
  readonly needsPostgres?: boolean;
  /** The part of a value with secrets that may be shown. */
  shown?(text: string): string;
}

export type SettingRows = Readonly<Record<string, Setting>>;

/** The values of settings. One without a default may be undefined. */
export type SettingsOf<Rows extends SettingRows> = {
  readonly [N in keyof Rows]:
    Exclude<ReturnType<Rows[N]['parse']>, undefined> | (Rows[N]['default'] extends '' ? undefined : never);
};

/** Returns the values of some settings. @throws CliError that names all that is wrong with any setting, at once */
export type ReadSettings = <Rows extends SettingRows>(rows: Rows) => SettingsOf<Rows>;

export const wholeNumber = (min: number, max: number) => ({
  rule: `a number from ${min} to ${max}`,
  parse: (text: string): number | undefined =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
});

export const onOff = {
  rule: 'on or off',
  parse: (text: string): boolean | undefined => (/^(?:on|off)$/.test(text) ? text === 'on' : undefined),
};

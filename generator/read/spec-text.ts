/** A part of a text that is wrong: the offsets of its first character and of the one after its last, and the message. */
interface TextFault {
  readonly span: readonly [start: number, end: number];
  readonly message: string;
}

/**
 * The text of a spec file: UTF-8 without its byte order mark, with Unix line ends. Bytes that are not UTF-8 become U+FFFD,
 * which `textFault` reports with its location.
 */
export const specText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');

/** Characters that YAML does not allow: the control characters, but for tabs and line ends; and U+FFFD. */
// oxlint-disable-next-line no-control-regex -- they are looked for
const refused = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufffd-\uffff]|\r(?!\n)/;

/** The first thing that keeps a text from being YAML: it is not UTF-8, or not a text. Undefined for all others. */
export function textFault(text: string): TextFault | undefined {
  const match = refused.exec(text);
  if (!match) return undefined;
  // An ASCII character of UTF-16 or UTF-32 has a zero byte beside it.
  // oxlint-disable-next-line no-control-regex -- they are looked for
  if (/^(?!\u0000{4})[^]{0,3}\u0000/.test(text)) {
    return { span: [0, 1], message: 'the file is in UTF-16 or UTF-32; save it as UTF-8' };
  }
  return { span: [match.index, match.index + 1], message: faultOf(match[0]) };
}

function faultOf(character: string): string {
  if (character === '\ufffd') return 'the byte here is not UTF-8; save the file as UTF-8';
  if (character === '\r')
    return 'the line ends with a carriage return alone (U+000D); save the file with Unix line ends';
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `the control character U+${code} is not allowed: remove it, or write it as "\\u${code}" in double quotes`;
}

import { isUtf8 } from 'node:buffer';

/** A part of a text that is wrong: the offsets of its first character and of the one after its last, and the message. */
interface TextFault {
  readonly span: readonly [start: number, end: number];
  readonly message: string;
}

/** A lone surrogate stands for a byte that is not UTF-8; no UTF-8 decodes to one. Python calls it `surrogateescape`. */
const escapedByte = 0xdc00;

/**
 * The text of a spec file: strict UTF-8 without its byte order mark, with Unix line ends. A byte that is not UTF-8 becomes
 * a lone surrogate, which `textFault` reports with its location.
 */
export function specText(bytes: Uint8Array): string {
  const text = isUtf8(bytes) ? new TextDecoder().decode(bytes) : decodeLoosely(bytes);
  return text.replaceAll('\r\n', '\n');
}

function decodeLoosely(bytes: Uint8Array): string {
  const parts: string[] = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < bytes.length;) {
    // A line end is never a part of another character.
    const end = bytes.indexOf(0x0a, at) + 1 || bytes.length;
    const line = bytes.subarray(at, end);
    parts.push(isUtf8(line) ? decoder.decode(line) : decodeBytes(line, decoder));
    at = end;
  }
  return parts.join('').replace(/^\uFEFF/, '');
}

function decodeBytes(bytes: Uint8Array, decoder: TextDecoder): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    const isValid = isUtf8(character);
    parts.push(isValid ? decoder.decode(character) : String.fromCharCode(escapedByte + lead));
    at += isValid ? length : 1;
  }
  return parts.join('');
}

/** Whether a text begins with the byte order mark of UTF-16, or with an ASCII character in it. */
function isUtf16(text: string): boolean {
  const [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
  const isMark = first + second === 2 * escapedByte + 0xff + 0xfe && Math.abs(first - second) === 1;
  return isMark || (text.length > 1 && (first === 0) !== (second === 0));
}

/** The byte order mark of UTF-32, or an ASCII character in it, as `specText` decodes them. */
// oxlint-disable-next-line no-control-regex -- they are looked for
const utf32 = /^(?:\udcff\udcfe\0\0|\0\0\udcfe\udcff|[^\0]\0\0\0|\0\0\0[^\0])/;

/** Characters that YAML does not allow: the control characters, but for tabs and line ends. */
// oxlint-disable-next-line no-control-regex -- they are looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\ufffe\uffff]|\r(?!\n)/;

/** The first thing that keeps a text from being YAML: it is not UTF-8, or not a text. Undefined for all others. */
export function textFault(text: string): TextFault | undefined {
  if (utf32.test(text)) return { span: [0, 1], message: 'the file is in UTF-32; save it as UTF-8' };
  if (isUtf16(text)) return { span: [0, 1], message: 'the file is in UTF-16; save it as UTF-8' };
  const found = control.exec(text);
  const byte = text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
  if (byte !== -1 && !(found && found.index < byte)) {
    const value = (text.charCodeAt(byte) - escapedByte).toString(16).toUpperCase().padStart(2, '0');
    return { span: [byte, byte + 1], message: `the byte 0x${value} is not UTF-8; save the file as UTF-8` };
  }
  if (!found) return undefined;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const message =
    found[0] === '\r'
      ? 'the line ends with a carriage return alone (U+000D); save the file with Unix line ends'
      : `the control character U+${code} is not allowed: remove it, or write it as "\\u${code}" in double quotes`;
  return { span: [found.index, found.index + 1], message };
}

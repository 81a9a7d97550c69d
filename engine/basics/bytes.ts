/**
 * What the engine does with bytes and has no function of every JavaScript for. The only file of it that names Node's
 * `Buffer`, which a browser has not.
 */

/** The bytes of base64, in which unknown characters are skipped. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, 'base64');
}

/** The UTF-8 text that base64 holds. */
export function textOfBase64(text: string): string {
  return Buffer.from(text, 'base64').toString();
}

/** One character for each byte, with the same number. (A `TextDecoder` of latin1 changes those of 0x80 to 0x9f.) */
export function characterPerByte(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Index of the first byte of a text in bytes; −1 where it is not in them. */
export function indexOfText(bytes: Uint8Array, text: string): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(text);
}

export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** A text of its own with the same units: a part of a text keeps all of that text in memory. */
export function copyOfText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(pieces));
}

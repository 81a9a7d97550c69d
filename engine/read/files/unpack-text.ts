import { gunzipSync } from 'node:zlib';

/**
 * The text of a small gzip file; null where it is damaged, or unpacks to more than `most` bytes. A stream takes many
 * times as long to be made as such a file to be unpacked.
 */
export function unpackText(packed: Uint8Array, most: number): string | null {
  if (most <= 0) return null;
  try {
    return new TextDecoder().decode(gunzipSync(packed, { maxOutputLength: most }));
  } catch {
    return null;
  }
}

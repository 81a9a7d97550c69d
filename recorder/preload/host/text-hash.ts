import { call, host, internal } from './host.ts';

/**
 * Tells two texts of one length apart, without keeping them. By zlib where it can (Node 20.15 and later), which
 * takes 10 µs for 27 kB: one by one, V8 gives out characters at 4 ns each. Loaded at the first text: many programs have none.
 */
export function textHash(text: string): number {
  const checksum = call(internal(host.builtinModule('node:zlib'), 'crc32'), undefined, [text]);
  return typeof checksum === 'number' ? checksum : fnv1a(text);
}

function fnv1a(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

import { type DecodedProfile, decodeCpuProfile } from './decode-cpu-profile.ts';

/** Decodes the bytes of a `.cpuprofile` file, plain or gzipped (told by its first two bytes, not by its name). */
export async function readCpuProfile(bytes: Uint8Array): Promise<DecodedProfile> {
  const plain = isGzip(bytes) ? await gunzip(bytes) : bytes;
  if (plain === null) return { type: 'damaged', damage: 'badGzip' };
  const text = textOf(plain);
  return text === null ? { type: 'damaged', damage: 'notJson' } : decodeCpuProfile(text);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return null; // Damaged or cut off: the caller says so.
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder().decode(bytes);
  } catch {
    return null; // Longer than the longest string.
  }
}

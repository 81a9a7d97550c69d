import type { DecodedProfile } from '../../samples/cpu-profile.ts';
import { createPlainReader } from './plain-reader.ts';
import { ProfileDecoder } from './profile-decoder.ts';
import { UnpackedTooMuch, gunzip } from '../../files/opened-file.ts';

/** The read was aborted before the last bytes came. */
interface CancelledRead {
  readonly type: 'cancelled';
}

/**
 * Decodes a `.cpuprofile` from its bytes in order. They are plain or gzipped, which is decided by their first two bytes
 * and not by the name. `plain` may have read other profiles before.
 */
export async function readCpuProfile(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
  plain = createPlainReader(),
): Promise<DecodedProfile | CancelledRead> {
  const decoder = new ProfileDecoder(plain);
  const iterator = withStart(chunks);
  const first = await iterator.next();
  const start = first.done === true ? new Uint8Array(0) : first.value;
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  try {
    for await (const chunk of isGzip ? gunzip(joined(start, iterator)) : joined(start, iterator)) {
      if (signal?.aborted === true) return { type: 'cancelled' };
      decoder.push(chunk);
    }
  } catch (error) {
    if (!isGzip) throw error;
    return { type: 'damaged', damage: error instanceof UnpackedTooMuch ? 'inflated' : 'badGzip' }; // Or cut off.
  }
  return decoder.finish();
}

/** The same bytes, with the first two of them in one piece. */
async function* withStart(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  let start = new Uint8Array(0);
  let isStarted = false;
  for await (const chunk of chunks) {
    if (isStarted) yield chunk;
    else {
      start = Uint8Array.from([...start, ...chunk.subarray(0, 2)]);
      isStarted = start.length >= 2;
      if (isStarted) yield start;
      if (isStarted) yield chunk.subarray(2);
    }
  }
  if (!isStarted) yield start;
  return undefined;
}

async function* joined(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield start;
  yield* rest;
  return undefined;
}

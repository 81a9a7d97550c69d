import { UnpackedTooMuch, gunzip } from '../../files/gunzip.ts';
import { V8LogDecoder } from './v8-log-decoder.ts';
import type { DecodedLog } from './v8-log.ts';

/** Aborted before the last bytes were there, or the file is no whole gzip file and nothing could be read of it. */
interface UnreadLog {
  readonly type: 'cancelled' | 'badGzip' | 'inflated';
}

/** Decodes a V8 log from its bytes, in order. Of a gzip file that is cut off, what comes before is read. */
export async function readV8Log(
  chunks: AsyncGenerator<Uint8Array, undefined>,
  isGzip: boolean,
  signal?: AbortSignal,
): Promise<DecodedLog | UnreadLog> {
  const decoder = new V8LogDecoder();
  try {
    for await (const chunk of isGzip ? gunzip(chunks) : chunks) {
      if (signal?.aborted === true) return { type: 'cancelled' };
      decoder.push(chunk);
    }
  } catch (error) {
    if (!isGzip) throw error;
    if (error instanceof UnpackedTooMuch) return { type: 'inflated' };
    const read = decoder.finish();
    return read.type === 'log' ? read : { type: 'badGzip' }; // Damaged, or cut off.
  }
  return decoder.finish();
}

/**
 * Unpacks pieces as they are asked for. Rejects where they are damaged or cut off. Rejects with `UnpackedTooMuch` where
 * they unpack to more than `most` bytes, or to more than anybody packs: a few KB of gzip can contain gigabytes of
 * zeros.
 */
export async function* gunzip(
  packed: AsyncGenerator<Uint8Array, undefined>,
  most: number = Infinity,
): AsyncGenerator<Uint8Array, undefined> {
  const sizes = { packed: 0, unpacked: 0 };
  const pieces = inPieces(packed);
  const source = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done === true) {
        controller.close();
        return;
      }
      sizes.packed += value.length;
      controller.enqueue(value.slice()); // This waits while the next piece is read.
    },
  });
  try {
    for await (const piece of source.pipeThrough(new DecompressionStream('gzip'))) {
      sizes.unpacked += piece.length;
      if (sizes.unpacked > Math.min(most, always + usualRatio * sizes.packed)) throw new UnpackedTooMuch();
      yield piece;
    }
  } finally {
    await packed.return(undefined); // This closes the file for readers that read no further.
  }
  return undefined;
}

export class UnpackedTooMuch extends Error {}

/** Number of bytes that may come out of any file, however small it is. */
const always = 128 << 20;

/** How many times its size a file may have besides. Profiles have 5 to 30 times; the most that gzip can is 1030. */
const usualRatio = 50;

/** Cuts input into short pieces, because a piece is unpacked as a whole, however little of it is asked for. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += longestPiece) yield chunk.subarray(at, at + longestPiece);
  }
  return undefined;
}

/** Longest piece in bytes. */
const longestPiece = 1 << 14;

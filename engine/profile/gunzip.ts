/** Unpacks pieces as they are asked for. Rejects where they are damaged or cut off. */
export function gunzip(packed: AsyncGenerator<Uint8Array, undefined>): AsyncIterable<Uint8Array> {
  const source = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await packed.next();
      if (done === true) controller.close();
      else controller.enqueue(value.slice()); // Waits there while the next piece is read.
    },
  });
  return source.pipeThrough(new DecompressionStream('gzip'));
}

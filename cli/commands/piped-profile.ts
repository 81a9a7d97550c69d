import type { World } from '../../engine/read/files/world.ts';

export type Piped =
  | { readonly type: 'piped'; readonly bytes: Uint8Array }
  | { readonly type: 'invalid'; readonly message: string };

/** The path by which messages name what is piped in. */
export const pipedPath = '/dev/stdin';

/** Reads all that is piped in. */
export async function readPiped(input: AsyncIterable<unknown> & { readonly isTTY?: boolean }): Promise<Piped> {
  if (input.isTTY === true)
    return unusable('"-" is what is piped in, and nothing is: type "hotspan analyze - < FILE.cpuprofile".');
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of input) {
      if (!(chunk instanceof Uint8Array)) continue; // Standard input gives bytes unless somebody sets an encoding.
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostPiped) return unusable('More than 2 GB were piped in: save them as a file, and give its name.');
    }
  } catch {
    // A folder, or a terminal that has gone.
    return unusable('What is piped in cannot be read: save it as a file, and give its name.');
  }
  return length === 0
    ? unusable('What was piped in is empty: pipe a .cpuprofile in, or give its name.')
    : { type: 'piped', bytes: Buffer.concat(chunks) };
}

/** In bytes. */
const mostPiped = 2e9;

function unusable(message: string): Piped {
  return { type: 'invalid', message };
}

/** The same files, and what is piped in. */
export function worldWith(bytes: Uint8Array, world: World): World {
  const { readChunks, sizeOf } = world;
  return {
    ...world,
    readFile: async (path, most = Infinity) => {
      if (path !== pipedPath) return world.readFile(path, most);
      return bytes.length <= most ? bytes : undefined;
    },
    listFiles: async (folder) => (folder === pipedPath ? undefined : world.listFiles(folder)),
    sizeOf: async (path) => (path === pipedPath ? bytes.length : sizeOf?.(path)),
    ...(readChunks === undefined
      ? {}
      : { readChunks: async (path) => (path === pipedPath ? piecesOf(bytes) : readChunks(path)) }),
  };
}

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

const pieceSize = 1 << 20;

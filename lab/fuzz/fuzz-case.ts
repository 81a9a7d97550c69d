import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import type { DrawnProfile } from '../../test/helpers/drawn-profile.ts';
import { damageOf, damaged } from './damages.ts';
import { write, type Scratch, scratchOf, scratched } from './scratches.ts';
import { keptTextSuffix } from '../../protocol/recording.ts';
import { type Surroundings, surroundings, unpackedText } from './surroundings.ts';
import { soundProfile } from './sound-profiles.ts';
import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import type { World } from '../../engine/read/files/world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { memoryWorld } from '../../test/helpers/memory-world.ts';

/** All that one run of Hotspan is given. */
export interface FuzzCase {
  /** By absolute path. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** How many bytes at a time a file is read; 0: all at once. */
  readonly chunkSize: number;
  /** In ms. */
  readonly threshold: number;
  /** The only profile, where nothing at all is wrong with it and nothing beside it. */
  readonly sound: DrawnProfile | null;
}

export function fuzzCase(): fc.Arbitrary<FuzzCase> {
  const file = fc.record({
    profile: soundProfile(),
    damages: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(damageOf(), { maxLength: 4 }) },
    ),
    writing: fc.record({ indent: fc.constantFrom('', '', ' ', '\t', '\n'), backwards: fc.boolean() }),
    isMarked: sometimes(20),
    isPacked: sometimes(10),
    scratches: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(scratchOf(), { minLength: 1, maxLength: 3 }) },
    ),
  });
  return fc
    .record({
      parts: fc.oneof(
        { weight: 4, arbitrary: fc.array(file, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(file, { minLength: 2, maxLength: 4 }) },
      ),
      around: surroundings(),
      chunkSize: fc.constantFrom(0, 0, 0, 1, 2, 3, 7, 61, 4096),
      threshold: fc.constantFrom(0, 0.5, 2, 10),
    })
    .map(({ parts, around, ...rest }) => ({
      ...rest,
      files: filesOf(parts.map(bytesOf), around),
      sound: soundOf(parts, around),
    }));
}

function sometimes(oneIn: number): fc.Arbitrary<boolean> {
  return fc.nat(oneIn - 1).map((number) => number === oneIn - 1);
}

interface DamagedFile {
  readonly profile: DrawnProfile;
  readonly damages: Parameters<typeof damaged>[1];
  readonly writing: Parameters<typeof write>[1];
  readonly isMarked: boolean;
  readonly isPacked: boolean;
  readonly scratches: readonly Scratch[];
}

function bytesOf({ profile, damages, writing, isMarked, isPacked, scratches }: DamagedFile): Uint8Array {
  const text = `${isMarked ? '\uFEFF' : ''}${write(damaged(profile, damages), writing)}`;
  const bytes = new TextEncoder().encode(text);
  // Half of the packed ones are damaged before they are packed.
  return scratches.length % 2 === 0
    ? scratched(isPacked ? gzipSync(bytes) : bytes, scratches)
    : packed(scratched(bytes, scratches), isPacked);
}

function packed(bytes: Uint8Array, isPacked: boolean): Uint8Array {
  return isPacked ? gzipSync(bytes) : bytes;
}

function filesOf(profiles: readonly Uint8Array[], { files, isolates }: Surroundings): FuzzCase['files'] {
  const named = profiles.map((bytes, part) => {
    const isolate = isolates[part % Math.max(1, isolates.length)];
    const name = isolate === undefined ? `${part}.cpuprofile` : `${isolate}.${part}.cpuprofile`;
    return [`/rec/${name}`, bytes] as const;
  });
  const encoder = new TextEncoder();
  const others = Object.entries(files).map(([name, text]) => {
    const isPacked = name.endsWith(keptTextSuffix) && name !== unpackedText;
    return [name, packed(encoder.encode(text), isPacked)] as const;
  });
  return Object.fromEntries([...named, ...others]);
}

function soundOf(parts: readonly DamagedFile[], { isolates }: Surroundings): DrawnProfile | null {
  const [only, ...others] = parts;
  const isSound =
    only !== undefined && others.length === 0 && only.damages.length + only.scratches.length + isolates.length === 0;
  return isSound ? only.profile : null;
}

export async function analyzed({ threshold, ...given }: Omit<FuzzCase, 'sound'>): Promise<AnalyzeResult> {
  return analyze(pathsOf(given), worldOf(given), {
    thresholdUs: milliseconds(threshold),
    roots: [],
    currentFolder: '/app',
    sourceMaps: true,
  });
}

/** A file alone is named; of several the folder. */
function pathsOf({ files }: Pick<FuzzCase, 'files'>): readonly string[] {
  const inside = Object.keys(files).filter((path) => path.startsWith('/rec/'));
  return inside.length === 1 ? inside : ['/rec'];
}

function worldOf({ files, chunkSize }: Pick<FuzzCase, 'files' | 'chunkSize'>): World {
  const world = memoryWorld(files);
  const chunks = async function* (bytes: Uint8Array): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  };
  if (chunkSize === 0) return world;
  return {
    ...world,
    readChunks: async (path) => {
      const bytes = await world.readFile(path);
      return bytes === undefined ? undefined : chunks(bytes);
    },
  };
}

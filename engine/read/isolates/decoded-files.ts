import type { loadProfile } from '../import/load-profile.ts';
import type { World } from '../files/world.ts';
import type { RequestLog, TestTimeline, TurnReadings } from '../samples/sample-stream.ts';
import type { WaitCurve } from '../samples/wait-curve.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** What the recorder wrote beside a profile. */
export interface Measured {
  readonly turns: TurnReadings | null;
  readonly waits: WaitCurve | null;
  readonly tests: TestTimeline | null;
  readonly requests: RequestLog | null;
  /** About files that are not whole, or have more lines than are read. */
  readonly damages: readonly Warning[];
}

/** What was made of files, until one of them changes: a recording may grow while it is read. */
class MadeOfFiles<Made> {
  /** By first path. */
  readonly #kept = new Map<string, { readonly state: string; readonly bytes: number; readonly made: Made }>();
  #bytes = 0;
  readonly #isWhole: (made: Made) => boolean;

  /** What is not whole is not kept. */
  constructor(isWhole: (made: Made) => boolean = () => true) {
    this.#isWhole = isWhole;
  }

  /**
   * `variant`: what else it depends on. `make` takes its bytes from the files at `paths` alone; `onKept` gets their number
   * where nothing need be read.
   */
  async of(
    { paths, variant = '' }: { readonly paths: readonly string[]; readonly variant?: string },
    world: World,
    make: () => Promise<Made>,
    onKept: (bytes: number) => void = () => {},
  ): Promise<Made> {
    const [first = ''] = paths;
    const files = await stateOf(paths, world);
    const state = `${variant} ${files.state}`;
    const kept = this.#kept.get(first);
    if (kept?.state === state) {
      onKept(kept.bytes);
      return kept.made;
    }
    const made = await make();
    this.#forget(first);
    if (this.#isWhole(made) && files.isKnown && this.#bytes + files.bytes <= MOST_BYTES) {
      this.#kept.set(first, { state, bytes: files.bytes, made });
      this.#bytes += files.bytes;
    }
    return made;
  }

  #forget(first: string): void {
    this.#bytes -= this.#kept.get(first)?.bytes ?? 0;
    this.#kept.delete(first);
  }
}

/** What was decoded of files, for analyses of one recording with the same options. */
export class DecodedFiles {
  readonly profiles = new MadeOfFiles<Awaited<ReturnType<typeof loadProfile>>>(({ type }) => type !== 'cancelled');
  readonly measured = new MadeOfFiles<Measured>();
}

/** Of the files: what is made of them takes less memory. */
const MOST_BYTES = 2 ** 28;

/** Looked at before the files are read: what grows meanwhile has changed the next time. */
async function stateOf(paths: readonly string[], { sizeOf, changedAt }: World) {
  const states: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const [size, changed] = [await sizeOf?.(path), await changedAt?.(path)];
    states.push(`${path}:${size}:${changed}`);
    bytes += changed === undefined ? Infinity : (size ?? Infinity);
  }
  return { state: states.join('\n'), bytes, isKnown: bytes < Infinity };
}

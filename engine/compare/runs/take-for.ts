import { jsonLines } from '../../../protocol/json-value.ts';
import type { Several } from '../../analysis.ts';
import { readText, type World } from '../../read/files/world.ts';
import { findSources } from '../../read/recording-files/find-sources.ts';
import type { Sources } from '../../read/recording-files/isolate-source.ts';
import { fileNameOf, isLogName } from '../../read/recording-files/profile-names.ts';
import { type WithoutCopies, withoutCopies } from '../../read/recording-files/without-copies.ts';
import { readTests } from '../../read/sidecars/read-tests.ts';

export type Taken = Pick<Several, 'takenFor' | 'why'>;

/** What a person gave: each recording once, and what several are taken for. */
export interface Given extends WithoutCopies {
  /** Null where there is only one. */
  readonly taken: Taken | null;
}

/** `asked`: what the person takes the recordings for; null where the recordings tell. */
export async function takeGiven(
  paths: readonly string[],
  world: World,
  asked: Taken['takenFor'] | null,
): Promise<Given> {
  const given = await withoutCopies(paths, world);
  if (given.kept.length < 2) return { ...given, taken: null };
  return { ...given, taken: asked === null ? await takeFor(given.kept, world) : { takenFor: asked, why: 'asked' } };
}

/**
 * Tells from the recordings at these paths whether they are of one thing that was recorded several times, or of its
 * parts. No profile is read. A path where nothing can be read tells nothing, and is left to those who read it.
 */
async function takeFor(paths: readonly string[], world: World): Promise<Taken> {
  const all: Known[] = [];
  for (const path of paths) {
    const found = await findSources([path], world);
    if (found.type === 'failed') continue;
    const one = await knownOf(found.sources, world);
    if (one === null) return unknown;
    all.push(one);
  }
  const [first, ...others] = all;
  if (first === undefined) return unknown;
  if (others.some(({ command }) => command !== first.command)) return { takenFor: 'shards', why: 'otherCommand' };
  if (others.some(({ shard }) => shard !== first.shard)) return { takenFor: 'shards', why: 'shardOptions' };
  if (others.every(({ reached }) => isSame(reached, first.reached)))
    return { takenFor: 'runs', why: all.some(({ hasTests }) => hasTests) ? 'sameTests' : 'sameCommand' };
  const isOfOtherTests = all.every(({ hasTests }) => hasTests) && areApart(all.map(({ reached }) => reached));
  return isOfOtherTests ? { takenFor: 'shards', why: 'otherTests' } : unknown;
}

const unknown: Taken = { takenFor: 'shards', why: 'unknown' };

interface Known {
  /** The folder and the command, without what says which part it runs, and without what is another in each run. */
  readonly command: string;
  /** The options that say which part it runs; empty where there are none. */
  readonly shard: string;
  /** Paths of the test files that ran; where no test is known, the scripts that its processes ran. */
  readonly reached: ReadonlySet<string>;
  readonly hasTests: boolean;
}

/** Null for what no command tells of: plain profiles, and recordings of V8's tiers, which have no times. */
async function knownOf({ recording, isolates }: Sources, world: World): Promise<Known | null> {
  const { command, cwd } = recording;
  const isOfTiers = isolates.some(({ profiles }) => isLogName(fileNameOf(profiles[0] ?? '')));
  if (command === null || cwd === null || isOfTiers) return null;
  const tests = new Set<string>();
  for (const { testsFile } of isolates) {
    const text = testsFile === null ? null : await readText(testsFile, world);
    const { running, untold } = readTests(text === null ? [] : jsonLines(text));
    for (const file of [...running.map((test) => test?.file ?? ''), ...untold]) if (file !== '') tests.add(file);
  }
  const scripts = new Set(isolates.flatMap((isolate) => isolate.command ?? []));
  return { ...commandParts(command, cwd), reached: tests.size > 0 ? tests : scripts, hasTests: tests.size > 0 };
}

/**
 * Splits a command into what is the same in each run of it, and the options that say which part it runs: `--shard=1/3` of
 * Jest, Vitest and Playwright, `--test-shard` of Node.js.
 */
function commandParts(command: readonly string[], cwd: string): Pick<Known, 'command' | 'shard'> {
  const words = command.join(' ');
  const same = words
    .replaceAll(shardOption, '')
    .replaceAll(changingOption, '')
    .replaceAll(cwd, '.')
    .replaceAll(temporary, '<temporary>');
  return { command: `${cwd}\n${same}`, shard: (words.match(shardOption) ?? []).join('') };
}

const shardOption = /(?<!\S)--(?:test-)?shard(?:-index|-count)?(?:=|\s+)\S+/g;
/** Options whose values differ between runs of one thing. */
const changingOption = /(?<!\S)--(?:seed|sequence\.seed|port)(?:=|\s+)\d+/g;
/** Paths in the folder for temporary files of Linux, macOS and Windows. */
const temporary = /(?:\/tmp|\/var\/folders|[A-Z]:\\Users\\[^\\\s]+\\AppData\\Local\\Temp)[/\\]\S+/gi;

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}

/** Whether nothing is in two of the sets, and none is empty. */
function areApart(sets: readonly ReadonlySet<string>[]): boolean {
  const all = new Set(sets.flatMap((set) => [...set]));
  return all.size === sets.reduce((sum, { size }) => sum + size, 0) && sets.every(({ size }) => size > 0);
}

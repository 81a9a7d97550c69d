import { maxOf, minOf } from '../../../protocol/figures.ts';
import { type Line0, type Line1, column0, line0, toLine1 } from '../../../protocol/units.ts';
import { compareTexts, groupBy } from '../../basics/lists.ts';
import { once, onceEach } from '../../basics/once.ts';
import { isInside } from '../../../protocol/path-spelling.ts';
import { filePathOf, isRecorder } from '../files/file-path.ts';
import { type World, MAX_NAMED_BYTES, readText } from '../files/world.ts';
import type { Locate } from '../functions/locate-file.ts';
import type { IsolateSource } from '../recording-files/isolate-source.ts';
import type { Origin, OriginalLine, OriginalPosition, ScriptPosition } from '../sourcemap/ask-map.ts';
import { isInPackage, isSameText } from '../sourcemap/script-maps.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import type { PlaceInText } from './place-in-text.ts';
import { isModuleBody, mayHaveRun } from './find-functions.ts';

/** A file whose text today is not the one that ran in a plain profile, or may not be: it was written later. */
export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  /** How many of its functions were found again, on their lines of today, and how many were not. */
  readonly found: number;
  readonly lost: number;
  /** Whether lines inside of its functions are known: where a source map has the text that was built. */
  readonly hasLines: boolean;
  /** When it was written, and the profile before; null where it was not after the profile, or times are unknown. */
  readonly times: { readonly writtenAt: number; readonly profiledAt: number } | null;
}

interface Profiled {
  /** Folders of the workspace. */
  readonly roots: readonly string[];
  readonly isolates: readonly IsolateSource[];
  readonly frames: readonly { readonly url: string }[];
  readonly locate: Locate;
}

type Mapper = Pick<SourceMapper, 'functions' | 'lines' | 'textOf' | 'builtFrom' | 'wordsFrom' | 'useWords'>;

/**
 * Answers for plain profiles, which keep no text, with places in the texts that files have today. A file is the one that
 * ran where V8's functions begin on their lines in it; a source, where it is the text in the source map. Times prove
 * nothing. But a file that was written after the profile, when others were not, may have a rewritten line under an old
 * figure: its figures are on the functions alone, and it is only said to be written later.
 */
export class TodaysTexts {
  readonly #mapper: Mapper;
  readonly #world: World;
  readonly #profiled: Profiled;
  /** Paths of files that urls mean without naming them. */
  readonly #located = new Map<string, string>();
  /** Scripts whose lines are unknown. */
  readonly #lineless = new Set<string>();
  /** Where the last function that ran begins, by scripts that a compiler may have made in memory of their files. */
  readonly #lastBegins = new Map<string, Line0>();
  /** Scripts that are mapped by the words of their sources. */
  readonly #byWordsOnly = new Set<string>();
  readonly #changed = new Map<string, { found: number; lost: number; hasLines: boolean }>();
  /** Sources whose text today is not that in the source map. */
  readonly #moved = new Map<string, MovedSource>();

  constructor(mapper: Mapper, world: World, profiled: Profiled) {
    this.#mapper = mapper;
    this.#world = world;
    this.#profiled = profiled;
  }

  /** By path. */
  async changedFiles(): Promise<readonly ChangedFile[]> {
    const profiledAt = await this.#profiledAt();
    const files = [...this.#changed].map(async ([path, counts]): Promise<ChangedFile> => {
      const writtenAt = await this.#writtenAt(path);
      const isLater = profiledAt !== null && writtenAt !== undefined && writtenAt > profiledAt;
      return { path, ...counts, times: isLater ? { writtenAt, profiledAt } : null };
    });
    return (await Promise.all(files)).toSorted((a, b) => compareTexts(a.path, b.path));
  }

  /** As of `SourceMapper`. */
  async functions(url: string, starts: readonly ScriptPosition[]): Promise<readonly Origin[]> {
    const made = this.#pathOf(url) === null ? await this.#profiled.locate(url) : null;
    if (made?.isSame === true) {
      const mapped = await this.#mapper.functions(url, starts); // A trace may have its map.
      if (mapped.some(({ type }) => type === 'original')) return this.#inSourcesOfToday(mapped);
      this.#located.set(url, made.path);
      return this.functions(made.path, starts);
    }
    const path = made?.path ?? this.#pathOf(url);
    const text = path === null || !this.#isChecked(path) ? null : await this.#read(path);
    if (path === null || text === null) return this.#inSourcesOfToday(await this.#mapper.functions(url, starts));
    if (made !== null) return this.#inServed(url, path, text, starts);
    const places = mayHaveRun(text, starts) ? null : await findIn(text, path, starts);
    if (places !== null) return this.#byName(url, path, starts, places);
    const origins = await this.#mapper.functions(url, starts);
    const isDoubted = await this.#isDoubted(path, origins);
    if (isDoubted) return this.#byName(url, path, starts, starts);
    if (isCompiled.test(path)) this.#lastBegins.set(url, line0(maxOf(starts.map(({ line }) => line))));
    const edited = await this.#editedSources(url, path, origins);
    return this.#inSourcesOfToday(edited.size === 0 ? origins : await this.#byWords(url, starts, origins, edited));
  }

  /** As of `SourceMapper`; no line where the script or the source has another text. */
  async lines(given: string, lines: readonly Line1[]): ReturnType<Mapper['lines']> {
    const url = this.#located.get(given) ?? given;
    if (this.#lineless.has(url)) return new Map(lines.map((line) => [line, []]));
    const found = await this.#mapper.lines(url, lines);
    if (found === null) return this.#linesAsWritten(url, lines);
    if (this.#moved.size === 0 && this.#byWordsOnly.size === 0) return found;
    const isSure = ({ isGuess }: OriginalLine): boolean => !isGuess || !this.#byWordsOnly.has(url);
    const nowOf = (originals: readonly OriginalLine[]): readonly OriginalLine[] =>
      originals.filter(isSure).flatMap((one) => this.#lineNow(one));
    return new Map([...found].map(([line, originals]) => [line, nowOf(originals)]));
  }

  /** A compiler keeps lines as far as functions that ran begin on them; behind the last one it may have moved them. */
  #linesAsWritten(url: string, lines: readonly Line1[]): ReadonlyMap<Line1, readonly OriginalLine[]> | null {
    const last = this.#lastBegins.get(url);
    if (last === undefined || lines.every((line) => line <= toLine1(last))) return null;
    return new Map(lines.map((line) => [line, [{ url, line, isGuess: line > toLine1(last) }]]));
  }

  /** The text of today where places are in that, else as of `SourceMapper`. */
  async textOf(url: string): Promise<string | null> {
    return this.#moved.get(url)?.text ?? this.#mapper.textOf(url);
  }

  /** Functions of what a bundler or a development server made of a file, by their names in that file. */
  async #inServed(
    url: string,
    path: string,
    text: string,
    starts: readonly ScriptPosition[],
  ): Promise<readonly Origin[]> {
    const places = (await findIn(text, path, starts)) ?? starts;
    const origins = starts.map((start, index): Origin => {
      const place = places[index] ?? null;
      if (place === null || isModuleBody(start)) return { type: 'asWritten' };
      return { ...place, type: 'original', url: path, byName: true };
    });
    const found = origins.filter(({ type }) => type === 'original').length;
    const lost = starts.filter((start) => !isModuleBody(start)).length - found;
    if (found > 0) this.#lineless.add(url);
    this.#note(path, { found, lost, hasLines: false });
    return origins;
  }

  /** Places of functions in a script with another text: `places` are those in the text of today. */
  async #byName(
    url: string,
    path: string,
    starts: readonly ScriptPosition[],
    places: readonly (ScriptPosition | null)[],
  ): Promise<readonly Origin[]> {
    this.#lineless.add(url);
    const known = places.flatMap((place) => place ?? []);
    const mapped = new Map(
      (await this.#mapper.functions(url, known)).map((origin, index) => [known[index], origin] as const),
    );
    const found = places.map((place): Origin => {
      const origin = place === null ? undefined : mapped.get(place);
      if (place === null || origin === undefined || isModuleBody(place)) return { type: 'lost' };
      if (origin.type === 'asWritten') return { type: 'foundByName', line: place.line, column: place.column };
      return origin.type === 'original' ? { ...origin, byName: true } : origin;
    });
    const isFound = ({ type }: Origin): boolean => type !== 'lost';
    const counted = found.filter((_, index) => !isModuleBody(starts[index] ?? nowhere));
    const lost = counted.filter((origin) => !isFound(origin)).length;
    this.#note(path, { found: counted.length - lost, lost, hasLines: false });
    return this.#inSourcesOfToday(found);
  }

  /** Sources of which the map has no text, and whose text today is not the one that was built. */
  async #editedSources(url: string, path: string, origins: readonly Origin[]): Promise<ReadonlySet<string>> {
    const edited = new Set<string>();
    const isMapped = origins.some((origin) => origin.type === 'original' && origin.url !== path);
    for (const [source, { there, missing }] of isMapped ? await this.#mapper.wordsFrom(url) : []) {
      const isOther = missing > Math.max(MIN_MISSING, there * MAX_MISSING_SHARE);
      const isLater =
        missing > 0 && ((await this.#writtenAt(source)) ?? 0) > ((await this.#writtenAt(path)) ?? Infinity);
      if (isOther || isLater) edited.add(source);
    }
    return edited;
  }

  async #byWords(
    url: string,
    starts: readonly ScriptPosition[],
    before: readonly Origin[],
    edited: ReadonlySet<string>,
  ): Promise<readonly Origin[]> {
    await this.#mapper.useWords(url);
    this.#byWordsOnly.add(url);
    const found = await this.#mapper.functions(url, starts);
    let now: readonly Origin[] = before.map((was, index): Origin => {
      const origin = found[index] ?? was;
      return was.type === 'original' && origin.type !== 'original' ? { type: 'lost', url: was.url } : origin;
    });
    for (const source of edited) {
      now = await this.#underTheirNames(source, now);
      const own = now.filter((_, index) => urlOf(before[index]) === source && !isModuleBody(starts[index] ?? nowhere));
      const lost = own.filter(({ type }) => type === 'lost').length;
      this.#note(this.#pathOf(source) ?? source, { found: own.length - lost, lost, hasLines: true });
    }
    return now;
  }

  /** Functions whose place in an edited source is one of another name have none, or the one of their name. */
  async #underTheirNames(source: string, origins: readonly Origin[]): Promise<readonly Origin[]> {
    const path = this.#pathOf(source);
    const text = path === null ? null : await this.#read(path);
    const own = origins.flatMap((origin) => (origin.type === 'original' && origin.url === source ? [origin] : []));
    const places = text === null ? null : await findIn(text, source, own);
    if (places === null) return origins;
    const placeOf = new Map<Origin, ScriptPosition | null>(own.map((origin, at) => [origin, places[at] ?? null]));
    return origins.map((origin): Origin => {
      const place = placeOf.get(origin);
      if (origin.type !== 'original' || place === undefined) return origin;
      if (place === null) return { type: 'lost', url: source };
      return { ...origin, line: place.line, column: place.column, byName: true };
    });
  }

  /** Moves places from the texts in a source map to those of today. */
  async #inSourcesOfToday(origins: readonly Origin[]): Promise<readonly Origin[]> {
    const now: Origin[] = [...origins];
    const numbers = [...origins.keys()].filter((number) => origins[number]?.type === 'original');
    for (const [url, own] of groupBy(numbers, (number) => urlOf(origins[number]))) {
      const source = await this.#sourceOf(url);
      if (source === null) continue;
      const inSource = own.flatMap((number) => {
        const origin = origins[number];
        return origin?.type === 'original' ? [{ number, origin }] : [];
      });
      const named = await findIn(
        source.text,
        url,
        inSource.map(({ origin }) => origin),
      );
      for (const [index, { number, origin }] of inSource.entries())
        now[number] = placeNow(origin, source.places, named === null ? origin : (named[index] ?? null));
      const lost = own.filter((number) => now[number]?.type === 'lost').length;
      this.#note(this.#pathOf(url) ?? url, { found: own.length - lost, lost, hasLines: true });
    }
    return now;
  }

  #note(path: string, { found, lost, hasLines }: { found: number; lost: number; hasLines: boolean }): void {
    const known = this.#changed.get(path) ?? { found: 0, lost: 0, hasLines: true };
    this.#changed.set(path, {
      found: known.found + found,
      lost: known.lost + lost,
      hasLines: known.hasLines && hasLines,
    });
  }

  #lineNow(original: OriginalLine): readonly OriginalLine[] {
    const source = this.#moved.get(original.url);
    if (source === undefined) return [original];
    const line = source.places.line(original.line);
    return line === null ? [] : [{ ...original, line }];
  }

  /** Today's text of a source, if that is not the text that was built. */
  readonly #sourceOf = onceEach(async (url: string): Promise<MovedSource | null> => {
    const path = this.#pathOf(url);
    const before = path === null || !this.#isChecked(path) ? null : await this.#mapper.builtFrom(url);
    const text = path === null || before === null ? null : await this.#read(path);
    if (before === null || text === null || isSameText(before, text)) return null;
    const { placeInText } = await import('./place-in-text.ts'); // It is loaded on demand: it brings the parser.
    const source = { text, places: placeInText(before, text, url) };
    this.#moved.set(url, source);
    return source;
  });

  /** Whether a script may have changed inside of functions. A build after the profile from older sources made the same. */
  async #isDoubted(path: string, origins: readonly Origin[]): Promise<boolean> {
    if (!(await this.#isNewer(path)) || !(await this.#isTimeTelling())) return false;
    const sources = new Set(origins.flatMap((origin) => (origin.type === 'original' ? [origin.url] : [])));
    if (sources.size === 0) return true;
    for (const url of sources) if (await this.#isNewer(this.#pathOf(url) ?? url)) return true;
    return false;
  }

  async #isNewer(path: string): Promise<boolean> {
    const profiledAt = await this.#profiledAt();
    return profiledAt !== null && ((await this.#writtenAt(path)) ?? -Infinity) > profiledAt;
  }

  /** False where all files are newer, as after a checkout, in a container or a cache of CI. */
  readonly #isTimeTelling = once(async (): Promise<boolean> => {
    const { roots, frames } = this.#profiled;
    const profiledAt = (await this.#profiledAt()) ?? -Infinity;
    const paths = [...new Set(frames.map(({ url }) => url))].flatMap((url) => this.#pathOf(url) ?? []);
    // A clone writes this file once.
    const asOld = roots.flatMap((root) => [`${root}/package.json`, `${root}/.git/description`]);
    for (const path of [...asOld, ...paths]) {
      if (!this.#isChecked(path)) continue;
      const folder = path.slice(0, path.lastIndexOf('/')); // A checkout creates it again.
      const times = [await this.#writtenAt(path), await this.#world.bornAt?.(folder)];
      if (times.some((time) => time !== undefined && time <= profiledAt)) return true;
    }
    return false;
  });

  /** When the first of the profiles was written, in ms since the epoch; null where that is unknown. */
  readonly #profiledAt = once(async (): Promise<number | null> => {
    const paths = this.#profiled.isolates.flatMap(({ profiles }) => profiles);
    const times = await Promise.all(paths.map(async (path) => this.#world.writtenAt?.(path)));
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? null : minOf(known);
  });

  #pathOf(url: string): string | null {
    return filePathOf(url, this.#profiled.roots);
  }

  #isChecked(path: string): boolean {
    return isInside(path, this.#profiled.roots) && !isInPackage(path) && !isRecorder(path);
  }

  readonly #writtenAt = onceEach(async (path: string) => this.#world.writtenAt?.(path));
  readonly #read = onceEach(async (path: string) => readText(path, this.#world, MAX_NAMED_BYTES.text));
}

/** The text of a source today, and where code of the text that was built is in it. */
interface MovedSource {
  readonly text: string;
  readonly places: PlaceInText;
}

/** tsc itself leaves out or renames some words of the sources. */
const MIN_MISSING = 5;
const MAX_MISSING_SHARE = 0.03;

/** Node leaves their lines as they are, other tools may not. A plain profile does not say which of them compiled a file. */
const isCompiled = /\.(?:[cm]?ts|[jt]sx)$/i;

const nowhere: ScriptPosition = { line: line0(-1), column: column0(-1), name: '' };

function urlOf(origin: Origin | undefined): string {
  return origin?.type === 'original' ? origin.url : '';
}

function placeNow(origin: OriginalPosition, places: PlaceInText, named: ScriptPosition | null): Origin {
  if (isModuleBody(origin)) return origin;
  const place = places.function(origin);
  if (place !== null && place !== 'unknown') return { ...origin, ...place };
  if (named === null) return { type: 'lost', url: origin.url };
  return { ...origin, line: named.line, column: named.column, byName: true };
}

/** Where functions are in a text, if that is not the one that ran; else null. */
export async function findIn(
  text: string,
  path: string,
  starts: readonly ScriptPosition[],
): Promise<readonly (ScriptPosition | null)[] | null> {
  const { findFunctions } = await import('./find-functions.ts'); // It is loaded on demand: it brings the parser.
  const { isSame, places } = findFunctions(text, path, starts);
  return isSame ? null : places;
}

import type { Line1 } from '../../../protocol/units.ts';
import { codeText } from '../../../protocol/code-text.ts';
import { isInside } from '../../../protocol/path-spelling.ts';
import { compareTexts } from '../../basics/lists.ts';
import { onceEach } from '../../basics/once.ts';
import { fileKey, filePathOf, isRecorder, olderTextOf } from '../files/file-path.ts';
import { type World, MAX_NAMED_BYTES, readText } from '../files/world.ts';
import type { Origin, OriginalPosition, ScriptPosition } from '../sourcemap/ask-map.ts';
import { isInPackage } from '../sourcemap/script-maps.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import type { KeptTexts, OutdatedBuild } from './kept-texts.ts';
import { isModuleBody } from './find-functions.ts';
import { findIn } from './todays-texts.ts';

interface Recorded {
  /** Folders of the workspace. */
  readonly roots: readonly string[];
  readonly texts: Pick<KeptTexts, 'outdated' | 'isRead'>;
}

type Mapper = Pick<SourceMapper, 'functions' | 'lines' | 'textOf' | 'builtFrom' | 'wordsFrom'>;

/**
 * Answers for recordings, whose text of a source is the one after the run. A source that was written after the script,
 * and whose code is not what was built, is not what ran: its functions are known by their names alone, unless its map
 * has the text that ran. Times alone prove nothing, because a checkout writes files again. The first reader notes the
 * answer in the recording, because the next build makes the times useless.
 */
export class OutdatedBuilds {
  readonly #mapper: Mapper;
  readonly #world: World;
  readonly #recorded: Recorded;
  readonly #found = new Map<string, OutdatedBuild>();
  /** Urls of sources whose text that ran is not known. */
  readonly #lineless = new Set<string>();

  constructor(mapper: Mapper, world: World, recorded: Recorded) {
    this.#mapper = mapper;
    this.#world = world;
    this.#recorded = recorded;
  }

  /** By path of the source; of the functions that were asked for. */
  get found(): readonly OutdatedBuild[] {
    return [...this.#found.values()].toSorted((a, b) => compareTexts(a.source, b.source));
  }

  /** As of `SourceMapper`. */
  async functions(url: string, starts: readonly ScriptPosition[]): Promise<readonly Origin[]> {
    let origins = await this.#mapper.functions(url, starts);
    const script = olderTextOf(url) === null ? filePathOf(url, this.#recorded.roots) : null;
    if (script === null) return origins;
    for (const source of new Set(origins.flatMap((one) => (one.type === 'original' ? one.url : [])))) {
      const path = this.#pathOf(source);
      if (path === null || fileKey(path) === fileKey(script)) continue; // A tool compiled it in memory.
      const built = await this.#mapper.builtFrom(source);
      if (!(await this.#isOutdated({ source: path, script }, built, source, url))) continue;
      this.#found.set(fileKey(path), { source: path, script });
      if (built === null) origins = await this.#underNames(source, origins);
    }
    return origins;
  }

  /** As of `SourceMapper`; no line of a source whose text that ran is not known. */
  async lines(url: string, lines: readonly Line1[]): ReturnType<Mapper['lines']> {
    const found = await this.#mapper.lines(url, lines);
    if (found === null || this.#lineless.size === 0) return found;
    return new Map([...found].map(([line, all]) => [line, all.filter((one) => !this.#lineless.has(one.url))]));
  }

  async textOf(url: string): Promise<string | null> {
    return this.#mapper.textOf(url);
  }

  /** `built`: the text of the source in the map; null where it has none. `original` is its url there. */
  async #isOutdated(build: OutdatedBuild, built: string | null, original: string, url: string): Promise<boolean> {
    const { outdated, isRead } = this.#recorded.texts;
    if (outdated.some(({ source }) => fileKey(source) === fileKey(build.source))) return true;
    if (isRead || !(await this.#isNewer(build))) return false;
    if (built === null) return ((await this.#wordsFrom(url)).get(original)?.missing ?? 0) > 0;
    const now = await readText(build.source, this.#world, MAX_NAMED_BYTES.text);
    const tokensIn = (text: string): string => codeText(text, build.source).tokens.join('\n');
    return now !== null && tokensIn(now) !== tokensIn(built);
  }

  async #isNewer({ source, script }: OutdatedBuild): Promise<boolean> {
    const [writtenAt, builtAt] = [await this.#world.writtenAt?.(source), await this.#world.writtenAt?.(script)];
    return writtenAt !== undefined && builtAt !== undefined && writtenAt > builtAt;
  }

  /** It parses the map of the script. */
  readonly #wordsFrom = onceEach(async (url: string) => this.#mapper.wordsFrom(url));

  async #underNames(source: string, origins: readonly Origin[]): Promise<readonly Origin[]> {
    this.#lineless.add(source);
    const own = origins.flatMap((one) => (one.type === 'original' && one.url === source ? [one] : []));
    const text = await this.#mapper.textOf(source);
    const places = (text === null ? null : await findIn(text, source, own)) ?? own;
    const now = new Map<Origin, Origin>(own.map((one, index) => [one, underName(one, places[index] ?? null)]));
    return origins.map((one) => now.get(one) ?? one);
  }

  /** Null for what is not in the workspace. */
  #pathOf(source: string): string | null {
    const path = filePathOf(source, this.#recorded.roots);
    const isOwn = path !== null && isInside(path, this.#recorded.roots) && !isInPackage(path) && !isRecorder(path);
    return isOwn ? path : null;
  }
}

function underName(origin: OriginalPosition, place: ScriptPosition | null): Origin {
  if (isModuleBody(origin)) return { ...origin, byName: true };
  if (place === null) return { type: 'lost', url: origin.url };
  return { ...origin, line: place.line, column: place.column, byName: true };
}

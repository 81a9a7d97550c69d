import type { Line1 } from '../../protocol/units.ts';
import { onceEach } from '../once-each.ts';
import { filePathOf } from '../sourcemap/file-path.ts';
import type { Origin, OriginalLine, OriginalPosition, ScriptPosition } from '../sourcemap/origin.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import type { PlaceInText } from './place-in-text.ts';
import { olderTextOf, olderUrl, plainUrl } from './text-version.ts';

export type Mapper = Pick<SourceMapper, 'functions' | 'lines' | 'textOf'>;

/**
 * Functions of a text that ran before the last one stand where the same ones stand in that one: so they are one function.
 * Those that are not there keep their place in the older text. `older` tells by its name what maps the scripts of such a
 * text to their sources, as these were then.
 */
export function withOlderTexts(latest: Mapper, older: (text: string) => Promise<Mapper>): Mapper {
  const mapperOf = async (url: string): Promise<Mapper> => {
    const text = olderTextOf(url);
    return text === null ? latest : older(text);
  };
  const placesOf = onceEach(async (url: string): Promise<PlaceInText | null> => {
    const before = await (await mapperOf(url)).textOf(plainUrl(url));
    const now = await latest.textOf(plainUrl(url));
    if (before === null || now === null) return null;
    // On demand: it brings the parser.
    return (await import('./place-in-text.ts')).placeInText(before, now, plainUrl(url));
  });
  return {
    functions: async (url, starts) => {
      const origins = await (await mapperOf(url)).functions(plainUrl(url), starts);
      if (olderTextOf(url) === null) return origins;
      return Promise.all(
        origins.map(async (origin, index): Promise<Origin> => {
          const start = starts[index];
          return start === undefined ? origin : originNow({ url, start, origin }, latest, placesOf);
        }),
      );
    },
    lines: async (url, lines) => {
      const origins = await (await mapperOf(url)).lines(plainUrl(url), lines);
      const text = olderTextOf(url);
      if (text === null) return origins;
      const found = await Promise.all(
        lines.map(async (line) => {
          const here = origins === null ? [asItIs(plainUrl(url), line)] : (origins.get(line) ?? []);
          // In both texts: a line of a function that is the same may be one of a function around it that is not.
          const now = await linesNow({ url, line, here }, latest, placesOf);
          return [line, [...now, ...here.map((one) => ({ ...one, url: olderUrl(one.url, text) }))]] as const;
        }),
      );
      return new Map(found);
    },
    textOf: async (url) => (await mapperOf(url)).textOf(plainUrl(url)),
  };
}

type PlacesOf = (url: string) => Promise<PlaceInText | null>;

interface OlderFunction {
  /** Of the script that ran, as an older text. */
  readonly url: string;
  readonly start: ScriptPosition;
  readonly origin: Origin;
}

async function originNow(fn: OlderFunction, latest: Mapper, placesOf: PlacesOf): Promise<Origin> {
  const { url, start, origin } = fn;
  if (origin.type !== 'original' && origin.type !== 'asWritten') return origin;
  const here: OriginalPosition =
    origin.type === 'original' ? origin : { ...start, type: 'original', url: plainUrl(url) };
  if (start.line <= 0 && start.column <= 0) return here; // The whole module is the same, whatever is in it.
  const before = { ...here, url: olderUrl(here.url, olderTextOf(url) ?? '') };
  if (isItself(here.url, url)) {
    const place = (await placesOf(before.url))?.function(here) ?? null;
    return place === null || place === 'unknown' ? before : { ...here, ...place };
  }
  const built = (await placesOf(url))?.function(start) ?? null;
  if (built === null || built === 'unknown') return before;
  const [now] = await latest.functions(plainUrl(url), [{ ...start, ...built }]);
  return now === undefined || now.type === 'asWritten' ? before : now;
}

interface OlderLine {
  readonly url: string;
  readonly line: Line1;
  readonly here: readonly OriginalLine[];
}

async function linesNow(
  { url, line, here }: OlderLine,
  latest: Mapper,
  placesOf: PlacesOf,
): Promise<readonly OriginalLine[]> {
  const places = await placesOf(url);
  const now = here.every((one) => isItself(one.url, url))
    ? here.map((one) => ({ ...one, line: places?.line(one.line) ?? null }))
    : [];
  const itself = now.flatMap((one) => (one.line === null ? [] : [{ ...one, line: one.line }]));
  if (now.length > 0 || here.length === 0) return itself;
  const built = places?.line(line) ?? null;
  return built === null ? [] : ((await latest.lines(plainUrl(url), [built]))?.get(built) ?? []);
}

/** What ran goes by the name of its source: it is that, or was made of it in memory. */
function isItself(source: string, url: string): boolean {
  return (filePathOf(source) ?? source) === (filePathOf(plainUrl(url)) ?? plainUrl(url));
}

function asItIs(url: string, line: Line1): OriginalLine {
  return { url, line, isGuess: false };
}

import { toLine1 } from '../../../protocol/units.ts';
import type { Origin, OriginalLine } from './origin.ts';
import type { SourceMapper } from './source-mapper.ts';
import { type DebuggerPlace, type DebuggerPlaces, placeKey } from '../import/importer.ts';

type Mapper = Pick<SourceMapper, 'functions' | 'lines'>;

/**
 * Where there is no source map, it uses the places that the debugger noted while there was one, because what tsx or
 * ts-node compiled is not on the disk. For lines the debugger noted only where each one begins, so these are marked as
 * guesses.
 */
export function withDebuggerPlaces(mapper: Mapper, places: DebuggerPlaces): Mapper {
  if (places.size === 0) return mapper;
  return {
    functions: async (url, starts) => {
      const origins = await mapper.functions(url, starts);
      return origins.map((origin, index): Origin => {
        const start = starts[index];
        if (start === undefined || origin.type !== 'asWritten') return origin;
        const place = places.get(placeKey(url, start.line, start.column));
        if (place === undefined) return origin;
        return { type: 'original', url: place.path, line: place.line, column: place.column, name: start.name };
      });
    },
    lines: async (url, lines) => {
      const found = await mapper.lines(url, lines);
      if (found !== null) return found;
      const noted = lines.flatMap((line) => {
        const place = places.get(placeKey(url, line - 1, 0));
        return place === undefined ? [] : [[line, [originalLine(place)]] as const];
      });
      return noted.length === 0 ? null : new Map(noted);
    },
  };
}

function originalLine({ path, line }: DebuggerPlace): OriginalLine {
  return { url: path, line: toLine1(line), isGuess: true };
}

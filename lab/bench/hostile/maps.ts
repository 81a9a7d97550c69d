import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type HostileInput,
  jsonLines,
  list,
  plainProfile,
  root,
  times,
  writePieces,
  writeRecording,
} from './hostile-input.ts';

/** Source maps as they can be in a recording, for the one file that was at work. */
export const maps: readonly HostileInput[] = [
  map('20 000 sources of webpack', () => sources(2e4, (number) => `webpack://shop/./src/s${number}.ts`)),
  map('200 000 sources', () => sources(2e5, (number) => `../src/s${number}.ts`)),
  map('200 000 sources of webpack', () => sources(2e5, (number) => `webpack://shop/./src/s${number}.ts`)),
  map('200 000 sources in deep folders', () =>
    sources(2e5, (number) => `webpack://shop/${'../a/'.repeat(50)}s${number}.ts`),
  ),
  map('20 000 sources of 10 000 characters', () =>
    sources(2e4, (number) => `webpack:///${'a'.repeat(10_000)}${number}.ts`),
  ),
  map('a sourceRoot of 30 000 characters', () => {
    const list = [...times(2e4, (number) => `"s${number}.ts"`)].join(',');
    return [`{"version":3,"sourceRoot":"/${'r'.repeat(30_000)}","names":[],"sources":[${list}],"mappings":"AAAA"}`];
  }),
  map('100 000 sections', () => [
    '{"version":3,"sections":[',
    ...list(times(1e5, (line) => `{"offset":{"line":${line},"column":0},"map":${oneMap(`s${line}.ts`)}}`)),
    ']}',
  ]),
  map('sections in sections, 10 000 deep', () => [
    '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(1e4),
    oneMap('a.ts'),
    '}]}'.repeat(1e4),
  ]),
  map('3 000 000 names', () => [
    '{"version":3,"sources":["a.ts"],"names":[',
    ...list(times(3e6, (number) => `"n${number}"`)),
    '],"mappings":"AAAA"}',
  ]),
  map('a line of 45 MB of mappings', () => ofOneSource('', 'AAAA,CAAA,'.repeat(4.5e6))),
  map('45 MB of empty lines', () => ofOneSource('', `${';'.repeat(4.5e7)}AAAA`)),
  map('100 MB of mappings', () => ofOneSource('', 'AAAA,'.repeat(2e7))),
  map('a source of 200 MB', () => ofOneSource(`"sourcesContent":["${'x;\\n'.repeat(5e7)}"],`, 'AAAA')),
  {
    name: 'maps of 20 000 files',
    write: (folder) =>
      writeRecording(
        folder,
        {
          '.maps.jsonl': jsonLines(2e4, (number) => ({ url: `file://${root}/${number}.js`, map: oneMap('a.ts') })),
        },
        plainProfile(`file://${root}/1.js`),
      ),
  },
  {
    name: 'a file with 2 000 000 notes of maps',
    write: (folder) => {
      mkdirSync(path.join(folder, 'src'));
      const file = path.join(folder, 'src/a.js');
      writeFileSync(file, '//# sourceMappingURL=\n'.repeat(2e6));
      return writePieces(path.join(folder, 'a.cpuprofile'), plainProfile(`file://${file}`));
    },
  },
  {
    name: 'a text without a map, and its source, of 2 MB',
    write: (folder) => {
      const text = 'a(b);'.repeat(4e5);
      mkdirSync(path.join(folder, 'rec'));
      writeFileSync(path.join(folder, 'a.js'), `${text}/**/`);
      const url = `file://${path.join(folder, 'a.js')}`;
      return writeRecording(
        path.join(folder, 'rec'),
        { '.maps.jsonl': [JSON.stringify({ url, text })] },
        plainProfile(url),
      );
    },
  },
];

function map(name: string, text: () => Iterable<string>): HostileInput {
  return {
    name: `a map with ${name}`,
    write: (folder) =>
      writeRecording(folder, {
        '.maps.jsonl': (function* () {
          yield `{"url":"file://${root}/a.js","map":"`;
          for (const piece of text()) yield JSON.stringify(piece).slice(1, -1);
          yield '"}\n';
        })(),
      }),
  };
}

function sources(count: number, name: (number: number) => string): Iterable<string> {
  const names = list(times(count, (number) => `"${name(number)}"`));
  return ['{"version":3,"names":[],"sources":[', ...names, '],"mappings":"AAAA"}'];
}

function oneMap(source: string): string {
  return JSON.stringify({ version: 3, names: [], sources: [source], mappings: 'AAAA' });
}

/** In pieces: together they may be longer than a text can be. `more`: further keys, with a comma behind them. */
function ofOneSource(more: string, mappings: string): Iterable<string> {
  return [`{"version":3,"names":[],"sources":["a.ts"],${more}"mappings":"`, mappings, '"}'];
}

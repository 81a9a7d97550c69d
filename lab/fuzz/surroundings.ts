import fc from 'fast-check';
import { drawnStart } from '../../test/helpers/drawn-profile.ts';
import { hostileText, hostileValue } from './damages.ts';
import { raw, write } from './scratches.ts';

/** What lies beside the profiles: a recording with its sidecars, sources and their maps; all of it damaged too. */
export interface Surroundings {
  /** Texts by absolute path. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of the recorded isolates, of which the profiles are parts; none where these are plain files. */
  readonly isolates: readonly string[];
}

export function surroundings(): fc.Arbitrary<Surroundings> {
  return fc
    .record({ sources: sources(), recording: fc.option(recording(), { nil: null }) })
    .map(({ sources, recording }): Surroundings => ({
      files: { ...sources, ...recording?.files },
      isolates: recording?.isolates ?? [],
    }));
}

/** One that is not a gzip. */
export const unpackedText = '/rec/c-3.text.gz';

const plain = { indent: '', backwards: false } as const;

function recording(): fc.Arbitrary<Surroundings> {
  return fc
    .record({
      isolates: fc.subarray(['7-0-x', '7-1-x', '9-0-y'], { minLength: 1 }),
      manifest: fc.oneof(manifest, hostileValue),
      events: jsonLines(event()),
      turns: jsonLines(turnLine),
      waits: jsonLines(waitLine),
      maps: jsonLines(mapLine()),
      texts: fc.array(jsonLines(textLine), { minLength: 3, maxLength: 3 }),
      kept: keptTexts,
    })
    .map(({ isolates, manifest, events, turns, waits, maps, texts, kept }) => ({
      isolates,
      files: {
        '/rec/recording.json': write(manifest, plain),
        '/rec/events.jsonl': events,
        [`/rec/${isolates[0] ?? ''}.turns.jsonl`]: turns,
        [`/rec/${isolates[0] ?? ''}.waits.jsonl`]: waits,
        [`/rec/${isolates[0] ?? ''}.maps.jsonl`]: maps,
        ...Object.fromEntries(isolates.map((isolate, index) => [`/rec/${isolate}.texts.jsonl`, texts[index] ?? ''])),
        ...kept,
      },
    }));
}

const manifest = fc.record({
  version: fc.oneof({ weight: 8, arbitrary: fc.constant(2) }, hostileValue),
  command: fc.oneof(fc.constant(['node', 'app.js']), hostileValue),
  cwd: fc.oneof(fc.constant('/app'), hostileText),
  intervalUs: fc.oneof(fc.constant(1000), hostileValue),
  notes: fc.oneof(fc.constant([]), fc.array(hostileValue, { maxLength: 2 })),
  evaluated: fc.boolean(),
  startedAt: hostileValue,
});

function event(): fc.Arbitrary<unknown> {
  const isolate = fc.constantFrom('7-0-x', '7-1-x', '9-0-y', '');
  const loose = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 8, arbitrary: value }, hostileValue);
  return fc.record({
    type: fc.constantFrom('start', 'start', 'end', 'worker', 'unprofiled', 'lost', 'handles', 'x'),
    isolate: loose(isolate),
    pid: loose(fc.constantFrom(7, 9)),
    threadId: loose(fc.constantFrom(0, 1)),
    argv: loose(fc.constantFrom(['node', 'app.js'], ['node', '/app/node_modules/.bin/vitest'])),
    execArgv: loose(fc.constant([])),
    nodeVersion: loose(fc.constant('v20.0.0')),
    kind: loose(fc.constantFrom('pool', 'background', 'main')),
    reason: loose(fc.constantFrom('exit', 'signal', 'ENOSPC')),
    at: loose(fc.constant(9)),
  });
}

const time = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -2, max: 60 }).map((step) => drawnStart + step * 500) },
  hostileValue,
);
/** What its thread did, in µs. */
const share = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(-1, 0, 400, 3000, 20_000) }, hostileValue);
const turnLine = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('turn'), time, time, share, share, share) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('turn'), time, time, share) },
  fc.tuple(fc.constantFrom('own', 'mark', 'turn', 'clock', 'x'), time, time),
  fc.tuple(fc.constant('mark'), time),
  hostileValue,
);

const waitLine = fc.oneof({ weight: 10, arbitrary: fc.tuple(time, time, share) }, hostileValue);

function mapLine(): fc.Arbitrary<unknown> {
  const url = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('file:///app/src/app.ts', '/app/src/app.ts', 'file:///app/src/cart.ts') },
    hostileText,
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ url, map: fc.oneof({ weight: 6, arbitrary: mapText() }, hostileValue) }) },
    fc.record({ url, text: fc.oneof(sourceText, hostileValue) }),
  );
}

function mapText(): fc.Arbitrary<string> {
  const mappings = fc.oneof(
    fc
      .array(fc.constantFrom(...'ACEGDgggg+/;;;,,AAAA'.split(''), 'AAAA', ';AACA', 'ggggggB', '='), { maxLength: 40 })
      .map((all) => all.join('')),
    fc.constant(`;;AACA,SAAS;${'AACA;'.repeat(400)}`),
    hostileValue,
  );
  const map = fc.record({
    version: fc.oneof({ weight: 9, arbitrary: fc.constant(3) }, hostileValue),
    sources: fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.oneof(fc.constant('app.ts'), hostileValue), { maxLength: 3 }) },
      hostileValue,
    ),
    sourcesContent: fc.array(fc.oneof(sourceText, hostileValue), { maxLength: 3 }),
    names: fc.oneof(fc.array(hostileValue, { maxLength: 3 }), hostileValue),
    sourceRoot: fc.option(hostileText),
    mappings,
  });
  const offset = fc.oneof(fc.record({ line: hostileValue, column: hostileValue }), fc.constant({ line: 0, column: 0 }));
  const index = fc.record({
    version: fc.constant(3),
    sections: fc.array(fc.record({ offset, map }), { maxLength: 3 }),
  });
  return fc.oneof({ weight: 3, arbitrary: map }, index, hostileValue).map((value) => write(value, plain));
}

const sourceText = fc.oneof(
  fc.constantFrom(
    'export function parse(a) {\n  return JSON.parse(a);\n}\n'.repeat(300),
    'class A { get x() { return parse(() => walk([])) } }\n',
    ...[
      '',
      '\0',
      '#!',
      '(',
      '('.repeat(50_000),
      '`${',
      'x = <a>{',
      '<!--',
      `${'a=>'.repeat(200)}1`,
      `${'a=>'.repeat(100_000)}1`,
      '\uD800',
    ],
    ...[
      '//# sourceMappingURL=data:application/json,%',
      '//# sourceMappingURL=../../../etc/passwd',
      '//# sourceMappingURL=',
    ],
    '//# sourceMappingURL=app.ts.map\n',
    `//# sourceMappingURL=data:application/json;base64,${'A'.repeat(1000)}`,
  ),
  hostileText,
);

const textLine = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      url: fc.constantFrom('file:///app/src/app.ts', '/app/src/app.ts', 'file:///app/src/cart.ts'),
      text: fc.constantFrom('a-1', 'b-2', 'c-3', 'd-4', '../app/src/app.ts'),
    }),
  },
  hostileValue,
);

/** `filesOf` packs them, but the last. */
const keptTexts = fc.record({
  '/rec/a-1.text.gz': sourceText,
  '/rec/b-2.text.gz': sourceText,
  [unpackedText]: sourceText,
});

function sources(): fc.Arbitrary<Readonly<Record<string, string>>> {
  const file = fc.option(sourceText, { nil: undefined });
  const map = fc.option(mapText(), { nil: undefined });
  return fc
    .record({ '/app/src/app.ts': file, '/app/src/cart.ts': file, '/app/src/app.ts.map': map })
    .map((files) =>
      Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    );
}

/** Some of the lines are cut off, empty or no JSON. */
function jsonLines(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const line = fc.oneof(
    { weight: 12, arbitrary: value },
    fc.constantFrom('', '{', '[1,', 'null', '"x', '\u0000', '[]', '{}').map(raw),
  );
  const lines = fc.array(line, { maxLength: 14 });
  return lines.map((all) => all.map((one) => `${write(one, plain)}\n`).join(''));
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pico from 'picocolors';
import type { ResultView } from '../../cli/views/result-view.ts';
import { markdown, table } from '../../cli/views/table.ts';
import { line1 } from '../../protocol/units.ts';
import { escapeMarkdown } from '../../words/formats/foreign-text.ts';
import { clone, nothingFound } from './nothing-found.ts';
import type { HotspotView } from '../../cli/views/hotspot-view.ts';

const print = (view: Partial<ResultView>, most = 20): string =>
  table({ ...nothingFound, isAll: true, ...view }, { colors: pico.createColors(false), most, columns: Infinity });

describe('the verdict', () => {
  const sentences = ['All of it in JSON.', 'Removes 1 s of 2 s.', 'Send less of it.'];
  const found = {
    findings: [{ ...clone, sentences, isInFunction: true }],
    left: 'Not shown: few samples (2).',
    makeSure: '',
  };

  test('has its rows with their causes and what to do, and says what is not shown', () => {
    assert.equal(
      print({ found, hotspots: [clone, clone], isAll: false }),
      `312 ms worst · 14 × >10 ms · 3 stacks  snapshot  src/catalogue.js:23
    23 │ return JSON.parse(JSON.stringify(products));
    All of it in JSON.
    Removes 1 s of 2 s.
    Send less of it.

Not shown: few samples (2). --all lists them.

worst: longest hold of the event loop · ×: how often · stacks: ways it was called · ≈: estimated
`,
    );
  });

  test('is followed by what it leaves out, where all is listed', () => {
    const loading = {
      label: 'loading of modules',
      place: 'most in src/app.js:1',
      figures: '58 ms worst · 2 × · loading',
    };
    const view = { found, hotspots: [clone], others: [loading] };
    assert.match(
      print(view),
      /\n\nNot in the verdict\n58 ms worst · 2 × · loading  loading of modules  most in src\/app\.js:1\n/,
    );
    assert.doesNotMatch(print(view), /Not shown|lists them/);
    const text = markdown({ ...nothingFound, ...view, isAll: true }, 'npm test');
    assert.match(
      text,
      /\*\*Not in the verdict\*\*\n\n.*\n.*\n\| \*\*58 ms worst · 2 × · loading\*\* \| loading of modules \|/,
    );
    assert.doesNotMatch(text, /Not shown/);
  });

  test('names the first uncertain finding where none is certain', () => {
    const instead = 'Uncertain: ≈54 ms worst in hash, src/hash.js:4 · seen once.';
    const once = { findings: [], left: 'Not shown: seen once (1).', makeSure: '' };
    const view = { found: once, hotspots: [clone], isAll: false, instead };
    assert.equal(print(view), `${instead} Not shown: seen once (1). --all lists them.\n`);
    assert.ok(markdown({ ...nothingFound, ...view }, 'npm test').includes(escapeMarkdown(instead)));
  });
});

describe('the table', () => {
  test('has the figures, the function, the place, and the source line below', () => {
    assert.equal(
      print({ hotspots: [clone] }),
      `All hotspots

312 ms worst · 14 × >10 ms · 3 stacks  snapshot  src/catalogue.js:23
    23 │ return JSON.parse(JSON.stringify(products));

worst: longest hold of the event loop · ×: how often · stacks: ways it was called · ≈: estimated
`,
    );
  });

  test('gives each of several hot lines its own time', () => {
    const lines = [
      { file: null, line: line1(12), text: 'rows.sort(byDate);', figures: '74 ms' },
      { file: null, line: line1(9), text: 'rows.filter(isOpen);', figures: '≈8.1 ms' },
    ];
    assert.match(
      print({ hotspots: [{ ...clone, lines }] }),
      / {4}12 │ {3}74 ms {2}rows\.sort\(byDate\);\n {5}9 │ ≈8\.1 ms {2}rows\.filter/,
    );
  });

  test('leaves a line out that cannot be read', () => {
    const lines = [{ file: null, line: line1(23), text: null, figures: null }];
    assert.ok(!print({ hotspots: [{ ...clone, lines }] }).includes('│'));
  });

  test('says what is test code', () => {
    assert.match(print({ hotspots: [{ ...clone, role: 'test', tone: 'dim' }] }), /23 {2}\(test code\)/);
  });

  test('says what is another text by now, and of which text the lines are', () => {
    const changed = 'src/a.js changed since it was recorded: lines are those of the text that ran.';
    const text = print({ hotspots: [{ ...clone, isChanged: true }], changed });
    assert.match(text, /23 {2}\(changed since it was recorded\)\n/);
    assert.ok(text.includes(`\n\n${changed}\n\n`));
  });

  test('counts what is too much to show', () => {
    assert.match(print({ hotspots: [clone, clone, clone] }, 1), /\n\+2 more\n/);
  });

  test('names packages beside hotspots', () => {
    const text = print({ hotspots: [clone], blamed: ['bcryptjs up to 118 ms (6 ×)'] });
    assert.match(text, /\nWith no line of yours on the stack: bcryptjs up to 118 ms \(6 ×\)\.\n/);
  });

  test('says of own code that blocks only in many short calls that it does', () => {
    const text = print({ hotspots: [clone], shortCalls: 'up to 35 ms (3 ×)', blamed: ['bcryptjs up to 118 ms (6 ×)'] });
    assert.match(text, /\nIn short calls of your code together: up to 35 ms \(3 ×\)\.\nWith no line of yours/);
  });

  test('is never empty', () => {
    const verdict = 'Nothing in your code blocks for more than 10 ms. Longest: 8.4 ms, getRegex, src/rules.ts:13';
    assert.equal(print({ verdict }), `${verdict}\n`);
  });

  test('ends with what was lost', () => {
    assert.match(
      print({ verdict: 'Nothing.', warnings: ['Process 7 was killed.'] }),
      /\n\n! Process 7 was killed\.\n$/,
    );
  });

  test('is coloured by how long it blocks, and dims test code and workers', () => {
    const colored = (view: HotspotView): string =>
      table(
        { ...nothingFound, isAll: true, hotspots: [view] },
        { colors: pico.createColors(true), most: 1, columns: Infinity },
      );
    const { yellow, red, dim, gray } = pico.createColors(true);
    assert.ok(colored(clone).includes(red(clone.figures)));
    assert.ok(colored({ ...clone, class: 'slow' }).includes(yellow(clone.figures)));
    assert.ok(colored({ ...clone, tone: 'dim' }).includes(dim(clone.figures)));
    assert.ok(colored({ ...clone, tone: 'background' }).includes(gray(clone.figures)));
  });

  test('fits a terminal of 60 columns: sentences are wrapped, code is cut, figures are whole', () => {
    const verdict = 'Nothing in your code blocks for more than 10 ms. Longest: 8.4 ms, getRegex, src/rules.ts:13';
    const warnings = [
      'The machine was busy: the processor was yours 85 % of the time. No figure holds what was waited.',
    ];
    const place = 'packages/catalogue/src/products/catalogue.js:23';
    const view = { ...nothingFound, isAll: true, hotspots: [{ ...clone, place }], warnings, eventLoop: [verdict] };
    const text = table(view, { colors: pico.createColors(false), most: 9, columns: 60 });
    for (const line of text.split('\n')) assert.ok(line.length <= 60, line);
    assert.ok(text.includes(`\n${clone.figures}\n  snapshot  packages/`));
    for (const whole of ['catalogue.js:23', '10 ms', '8.4 ms', '85 %']) assert.ok(text.includes(whole), whole);
  });
});

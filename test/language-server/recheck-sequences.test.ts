import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { fc } from '../helpers/drawn-cases.ts';
import type { Hotspots } from '../../protocol/list-rows.ts';
import {
  type FunctionChange,
  type FunctionReference,
  hotspotsRequest,
  openRequest,
  recheckRequest,
  type ResultsNow,
  resultsNowRequest,
  showChangeRequest,
} from '../../protocol/requests.ts';
import { shortVerdictOfAll, statusText } from '../../words/editor/status-text.ts';
import { milliseconds, toLine1 } from '../../protocol/units.ts';
import { startLanguageClient } from '../helpers/language-client.ts';
import { quoteLine, recordRun, recordShop } from '../helpers/shop-recording.ts';
import { rechecked } from '../helpers/shop-client.ts';
import { assertNone } from '../helpers/assert-each.ts';

const shop = await recordShop();
/** Its window. `shown`: what tree and status bar have drawn. */
const nothing: ResultsNow & { readonly hotspots: Hotspots } = { state: '', summaries: [], hotspots: [] };
const editor = { client: await startLanguageClient(shop.folder), shown: nothing };
after(async () => {
  await editor.client.close();
  await shop.remove();
});
const addedFile = path.join(shop.folder, 'src/copies.js');

/** Which text each part of the code has. The recording has the first of each. */
interface Code {
  /** Of `quote`: two fixes, and a third that calls the added file. */
  readonly quote: number;
  readonly added: number;
  /** Of what `quote` does not reach: another function, a comment. */
  readonly other: number;
}

const recorded: Code = { quote: 0, added: 0, other: 0 };
const clone = 'JSON.parse(JSON.stringify(catalogue))';
const copies = [clone, '[...catalogue]', 'catalogue', "require('./copies').copy(catalogue)"];
const tax = 'function tax(sum) {\n  return sum * 1.2;\n}\n';
const others = ['', tax, `// 20 %\n${tax.replace('1.2', '1.19')}`];

const shopText = ({ quote, other }: Code): string => `${others[other]}${shop.text.replace(clone, copies[quote] ?? '')}`;
const addedText = ({ added }: Code): string => `exports.copy = (all) => all.slice(${added});\n`;
/** Equal for codes in which `quote` runs the same. */
const reached = ({ quote, added }: Code): string => (quote === 3 ? `3 ${added}` : `${quote}`);

/** Another threshold is set, or the server crashes; then the person edits. */
type During = 'nothing' | 'threshold' | 'crash';

type Step =
  | { readonly type: 'edit' | 'checkout'; readonly code: Partial<Code> }
  | { readonly type: 'recheck'; readonly isFixed: boolean; readonly during: During }
  | { readonly type: 'undo' | 'reload' };

const checkouts: readonly Step[] = [recorded, { quote: 3 }].map((code) => ({ type: 'checkout', code }));
const code = fc.oneof(
  fc.record({ quote: fc.nat(3) }),
  fc.record({ added: fc.nat(2) }),
  fc.record({ other: fc.nat(2) }),
);
const during = fc.constantFrom<During[]>('nothing', 'nothing', 'threshold', 'crash');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('edit' as const), code }),
  fc.constantFrom(...checkouts),
  fc.record({ type: fc.constant('recheck' as const), isFixed: fc.boolean(), during }),
  fc.record({ type: fc.constantFrom('undo' as const, 'undo' as const, 'reload' as const) }),
);

/** A person at an editor. */
class Person {
  #quote: FunctionReference;
  #code = recorded;
  readonly #before: Code[] = [];
  #measured = 0;
  readonly #known = new Map<string, { readonly text: string; readonly isFixed: boolean }>();

  private constructor(recording: string) {
    this.#quote = { recording, functionId: -1 };
  }

  static async begin(): Promise<Person> {
    const recording = await recordRun(shop, '.recordings/run', 312, { cwd: shop.folder });
    const person = new Person(recording);
    await person.#open();
    const [hotspots] = await editor.client.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
    person.#quote = { recording, functionId: hotspots?.verdict.findings[0]?.functionId ?? -1 };
    return person;
  }

  async do(now: Step): Promise<void> {
    if (now.type === 'recheck') return this.#recheck(now.isFixed, now.during);
    if (now.type === 'reload') return this.#reload();
    if (!('code' in now)) return this.#write(this.#before.pop() ?? recorded);
    this.#before.push(this.#code);
    await this.#write({ ...this.#code, ...now.code });
    if (now.type === 'edit') return;
    for (const file of [shop.file, addedFile]) await editor.client.closeDocument(file);
    await this.#save();
  }

  /** Every surface says what is known of the code as it is now, and nothing else. */
  async assertOneTruth(why: string): Promise<void> {
    const known = this.#known.get(reached(this.#code)) ?? null;
    const isStale = known === null && this.#code.quote !== 0;
    const text = known?.text ?? (isStale ? 'was ≈312 ms' : '312 ms');
    for (const [surface, saying] of Object.entries(await surfaces())) {
      const because = `${surface}: ${saying}, not ${text} ${why}`;
      const isGone = isStale && (surface === 'mark' || surface === 'hover'); // With its line, or without 'was'.
      assert.ok(isGone || saying.includes(text), because);
      const results = saying.match(/\d+ → \d+ ms/g) ?? [];
      if (known !== null && surface in ofLoad) assert.ok(saying.includes(load), because);
      assertNone(results, (one) => one !== known?.text, because);
    }
    const { findings = [], fixed = [] } = editor.shown.hotspots[0]?.verdict ?? {};
    assert.deepEqual([findings.length, fixed.length], known?.isFixed === true ? [0, 1] : [1, 0], why);
    const answer = await editor.client.ask(recheckRequest, this.#quote);
    assert.equal(answer?.text ?? null, known?.text ?? null, why);
  }

  async #recheck(isFixed: boolean, during: During): Promise<void> {
    const show = async (change: FunctionChange['change']) =>
      editor.client.ask(showChangeRequest, { ...this.#quote, change });
    await this.#save(); // VS Code saves all files before.
    await show({ type: 'began', text: 're-checking' });
    const measured = reached(this.#code);
    if (during !== 'nothing') {
      await (during === 'crash' ? this.#reload() : this.#open());
      if (during === 'threshold') assert.equal((await surfaces()).lens, 're-checking');
      await this.#write({ ...this.#code, quote: 1 });
      await this.#save();
      await show({ type: 'running', text: 're-checking 5 of 6' });
      assert.equal((await surfaces()).lens, 're-checking 5 of 6');
    }
    const text = `312 → ${++this.#measured} ms`;
    await show(rechecked(text, { isFixed, load, at: this.#measured }));
    if (during !== 'crash') this.#known.set(measured, { text, isFixed });
  }

  async #write(now: Code): Promise<void> {
    this.#code = now;
    await editor.client.openDocument(shop.file, shopText(now));
    await editor.client.openDocument(addedFile, addedText(now));
  }

  async #save(): Promise<void> {
    await writeFile(shop.file, shopText(this.#code));
    await writeFile(addedFile, addedText(this.#code));
  }

  async #reload(): Promise<void> {
    await editor.client.close();
    editor.client = await startLanguageClient(shop.folder);
    await this.#open();
  }

  async #open(): Promise<void> {
    await this.#write(this.#code);
    const answer = await editor.client.openRecording(this.#quote.recording, 'test');
    assert.equal(answer.type, 'opened');
  }
}

/** What became of the load of each re-check, which is said where there is room. */
const load = 'GET p99 halved';
const ofLoad = { mark: true, lens: true, hover: true, row: true };

/** What each surface says of `quote`. Tree and status bar are drawn again where the state says so (`FollowedCode`). */
async function surfaces() {
  const now = await editor.client.ask(resultsNowRequest, null);
  const tree = { groupBy: 'function', sortBy: 'worst' } as const;
  if (now.state !== editor.shown.state)
    editor.shown = { ...now, hotspots: await editor.client.ask(hotspotsRequest, tree) };
  const { summaries, hotspots } = editor.shown;
  for (const summary of summaries) {
    const options = { thresholdUs: milliseconds(10), testPatterns: [], pathRules: [] };
    const page = { recording: summary.recording, more: [], shownAs: null, options };
    assert.deepEqual(await editor.client.ask(openRequest, page), { type: 'opened', summary, dropped: [] });
  }
  const items = hotspots.flatMap(({ groups }) => groups.flatMap((group) => group.items));
  const rows = items.filter(({ label }) => label === 'quote');
  const marks = await editor.client.marks(shop.file);
  const lenses = await editor.client.lenses(shop.file);
  const line = lenses[0]?.range.start.line ?? quoteLine;
  const row = rows.map(({ figure, description }) => `${figure} ${description}`).join();
  const [, named] = /shop\.js:(\d+)/.exec(row) ?? [];
  for (const mark of named === undefined ? [] : marks) assert.equal(Number(named), toLine1(mark.line), row);
  const isFixed = summaries.some(({ fixed }) => fixed !== undefined);
  return {
    mark: marks.map(({ text }) => text).join(),
    lens: lenses[0]?.command?.title ?? '',
    hover: await editor.client.hover(shop.file, line),
    row,
    view: shortVerdictOfAll(summaries) ?? '',
    ...(isFixed ? {} : { status: summaries.map((one) => statusText(one)).join() }),
  };
}

test('through edits, undo, re-checks, checkouts and reloads all surfaces say the same of the code that is there', async () => {
  const person = await Person.begin();
  const sequence = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 10 }), async (steps) => {
    await person.do({ type: 'checkout', code: recorded });
    for (const [index, one] of steps.entries()) {
      await person.do(one);
      await person.assertOneTruth(`after ${JSON.stringify(steps.slice(0, index + 1))}`);
    }
  });
  const moved: readonly Step[] = [1, 2].map((other) => ({ type: 'edit', code: { other } }));
  await fc.assert(sequence, { numRuns: 10, endOnFailure: true, examples: [[[...checkouts]], [[...moved]]] });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { FlameFrame } from '../../../protocol/flame.ts';
import {
  aboutRequest,
  fileMarksRequest,
  hotspotsRequest,
  type LineMark,
  markdownRequest,
} from '../../../protocol/requests.ts';
import type { HotspotItem } from '../../../protocol/list-rows.ts';
import type { Summary } from '../../../protocol/summary.ts';
import type { Report } from '../../../protocol/report.ts';
import { defaultThresholdUs } from '../../../protocol/figures.ts';
import { frameFigures } from '../../../webview/basics/frame-text.ts';
import { statusText } from '../../../words/editor/status-text.ts';
import { escapeMarkdown } from '../../../words/formats/foreign-text.ts';
import { lineFigures } from '../../../words/formats/figures.ts';
import { type LanguageClient, startLanguageClient, uriOf } from '../../helpers/language-client.ts';
import { copyFixture } from '../../helpers/recording-fixtures.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import { runHere } from '../../helpers/run-here.ts';

// One recording of each example, read by every surface there is outside of VS Code.

interface Shown {
  /** The row of the tree. */
  readonly item: HotspotItem;
  readonly label: string;
  /** The figures that the list of actions has, which all others are compared with. */
  readonly figures: string;
  readonly file: string;
  /** The first line, from 0. */
  readonly line: number;
}

interface Read {
  readonly name: string;
  readonly recording: string;
  readonly client: LanguageClient;
  readonly summary: Summary;
  readonly report: Report;
  readonly table: string;
  readonly markdown: string;
}

interface Opened extends Read {
  readonly functions: readonly Shown[];
}

/** Reads a recording by the command line and by the language server. */
async function opened(name: 'shop' | 'reports'): Promise<Opened> {
  const { project: cwd, recording } = copyFixture(`${name}/first`);
  const analyzed = async (...flags: string[]) => (await runHere(['analyze', ...flags, recording], { cwd })).stdout;
  const [json, table] = [await analyzed('--json'), await analyzed('--all')];
  const markdown = await analyzed('--markdown', '--all');
  const client = await startLanguageClient(cwd);
  after(async () => client.close());
  const answer = await client.openRecording(recording);
  if (answer.type !== 'opened') assert.fail(JSON.stringify(answer));
  const read = { name, recording, client, summary: answer.summary, report: parseReport(json), table, markdown };
  return { ...read, functions: await functionsOf(read) };
}

/** The hot functions of the tree, with the place that the report has of each. */
async function functionsOf({ client, recording, report }: Read): Promise<readonly Shown[]> {
  const hotspots = await client.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
  const items = hotspots[0]?.groups.find(({ kind }) => kind === 'functions')?.items ?? [];
  return Promise.all(
    items.map(async (item) => {
      const { title } = await client.ask(aboutRequest, { recording, functionId: item.functionId });
      const [label = '', ...figures] = title.split(' · ');
      const file = item.location === null ? '' : new URL(item.location.uri).pathname;
      const fn = report.functions.find((one) => one.culprit !== null && one.label === label && one.url.endsWith(file));
      assert.ok(fn, `${label} is not in the report`);
      return { item, label, figures: figures.join(' · '), file, line: fn.line - 1 };
    }),
  );
}

const marksOf = async ({ client }: Opened, file: string): Promise<readonly LineMark[]> =>
  (await client.ask(fileMarksRequest, { uri: uriOf(file) })).marks;

/** Without what says whether a figure is certain: a line may be less certain than its function. */
const plain = (text: string): string => text.replaceAll('≈', '');

const examples = [await opened('shop'), await opened('reports')];

for (const example of examples) {
  const { name, client, recording, summary, report, table, markdown, functions } = example;
  test(`${name}: tree, hover, list of actions, copied Markdown and page say the same of each function`, async () => {
    assert.ok(functions.length > 3);
    for (const { item, label, figures, file, line } of functions) {
      const { functionId } = item;
      assert.ok(`${item.label} ${item.description}`.startsWith(label), `${item.label} ${item.description}`);
      assert.ok(
        figures.startsWith(item.figure) && item.tooltip.includes(`\n${figures}`),
        `${figures}\n${item.tooltip}`,
      );
      await client.openDocument(file, await readFile(file, 'utf8'));
      const hover = await client.hover(file, line);
      assert.ok(hover.includes(`**${escapeMarkdown(label)}** · ${figures}`), `${label} · ${figures}\n${hover}`);
      const asked = { recording, functionId };
      assert.ok((await client.ask(markdownRequest, asked)).includes(`\n${figures}\n`), label);
      const flame = await client.about(recording, 'flame', { leastShare: 0, functionId });
      assert.equal(frameFigures(frameOf(flame.root, functionId), defaultThresholdUs), figures);
    }
  });

  test(`${name}: the terminal, the Markdown of a CI job and the JSON say the same, too`, () => {
    for (const { label, figures } of functions) {
      const isRow = (line: string): boolean => line.includes(figures) && line.includes(label);
      assert.ok(table.split('\n').some(isRow), `${label} · ${figures}\n${table}`);
      const escaped = escapeMarkdown(label);
      assert.ok(
        markdown.split('\n').some((row) => row.includes(figures) && row.includes(escaped)),
        label,
      );
      if (!figures.includes(' worst ')) continue; // It was long the first time only, which the JSON has as two times.
      const same = report.functions.filter((fn) => fn.label === label && fn.culprit !== null);
      const texts = same.map(({ culprit }) => (culprit === null ? '' : lineFigures(culprit, defaultThresholdUs)));
      assert.ok(texts.includes(figures.replace(/ · waited( \([^)]*\))?/, '')), `${figures} ${texts.join()}`);
    }
  });

  test(`${name}: terminal, sentence, status bar and page begin with the first finding, and with its worst`, () => {
    const [first] = report.findings;
    const row = functions.find(({ label }) => label === first?.label);
    assert.ok(row !== undefined && first?.open === true);
    const worst = worstOf(row);
    assert.ok(summary.verdict.startsWith(`${worst} worst in ${row.label}, `), summary.verdict);
    assert.equal(statusText(summary), `$(flame) ${row.label} ${worst}`);
    assert.equal(summary.opensAt, row.item.functionId);
    const line = table.split('\n').find((text) => / worst .* {2}/.test(text)) ?? '';
    assert.ok(line.startsWith(`${worst} worst `) && line.includes(`  ${row.label}  `), line);
  });

  test(`${name}: the lens over a function says its worst`, async () => {
    for (const { label, figures, file, line } of functions) {
      const titles = (await client.lenses(file))
        .filter(({ range }) => range.start.line === line)
        .map(({ command }) => command?.title ?? '');
      assert.ok(
        titles.some((title) => plain(title).includes(plain(worstOf({ figures })))),
        `${label} · ${figures}: ${titles.join(' | ')}`,
      );
    }
  });

  test(`${name}: a line whose figures are of no single function says so in words, and its hover has the same figures`, async () => {
    for (const file of new Set(functions.map((one) => one.file))) {
      for (const { line, text } of await marksOf(example, file)) {
        if (!/ worst | the first time/.test(text) || text.endsWith(' × >10 ms')) continue; // An import is not a function.
        const hover = await client.hover(file, line);
        const isWhole = functions.some(({ figures }) => plain(figures) === plain(text));
        assert.ok(
          isWhole || / · (?:of the function's |\d functions|one of several lines)/.test(text),
          `${file}:${line + 1} ${text}`,
        );
        const [figures = ''] = text.replace(/^\S+: /, '').split(/ · (?:of the function's |one of several)/); // An import's.
        assert.ok(plain(hover).includes(plain(figures)), `${text}\n${hover}`);
      }
    }
  });
}

/** `247 ms` of `247 ms worst · 1 × >10 ms · 1 stack`, and of `49 ms the first time, then 0.4 ms`. */
function worstOf({ figures }: Pick<Shown, 'figures'>): string {
  return /^≈?[\d.]+ m?s/.exec(figures)?.[0] ?? '';
}

function frameOf(frame: FlameFrame, functionId: number): FlameFrame {
  const found = framesOf(frame).find((one) => one.functionId === functionId);
  return found ?? assert.fail(`no frame of function ${functionId}`);
}

function framesOf(frame: FlameFrame): readonly FlameFrame[] {
  return [frame, ...frame.children.flatMap(framesOf)];
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import { isList, isRecord, parseJson } from '../../protocol/json-value.ts';
import { recordingFile, recordingVersion } from '../../protocol/recording.ts';
import { contentOf, readArchive } from '../helpers/fixture-archive.ts';
import { fixtureProjects } from '../helpers/fixture-runs.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';
import { parseReport } from '../helpers/report-schema.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

type Recording = Readonly<Record<string, string>>;

const recordings = (name: string): readonly Recording[] =>
  Object.values(readArchive(name).runs).map(({ recording }) => recording);

/** What kinds of files a recording has, and what kinds of lines with which keys are in each. */
function shapesOf(recording: Recording): ReadonlySet<string> {
  return new Set(
    Object.entries(recording).flatMap(([file, text]) => {
      const kind = file.replace(/^\d+-\d+-\w+\.|^\w+-\w+(?=\.text)/, '').replace(/^\d+(?=\.cpuprofile$)/, '');
      if (!/jsonl?$|cpuprofile$/.test(kind)) return [kind];
      const parts = kind.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text];
      return parts.map((part) => `${kind} ${shapeOf(parseJson(part))}`);
    }),
  );
}

function shapeOf(value: unknown): string {
  if (isList(value)) return `[${typeof value[0] === 'string' ? value[0] : ''}, ${value.length}]`;
  if (!isRecord(value)) return typeof value;
  return `${typeof value['type'] === 'string' ? value['type'] : ''} ${Object.keys(value).toSorted().join(' ')}`;
}

test('the recordings in test/fixtures are of the runs in fixture-runs.ts, and of the present format', () => {
  for (const [name, { runs }] of Object.entries(fixtureProjects)) {
    assert.deepEqual(Object.keys(readArchive(name).runs), Object.keys(runs), `${name}: run npm run fixtures`);
    for (const recording of recordings(name)) {
      const manifest = parseJson(recording[recordingFile] ?? '');
      assert.equal(isRecord(manifest) && manifest['version'], recordingVersion, `${name}: run npm run fixtures`);
    }
  }
});

test('what is recorded today has files, lines and keys as the recordings in test/fixtures have them', async () => {
  const { from, runs } = fixtureProjects.small;
  const cwd = temporaryProject(from);
  const [, ...words] = runs['run-1'].command;
  await runCli(['record', '--quiet', '--out', 'recording', '--', process.execPath, ...words], { cwd });
  const known = new Set(recordings('small').flatMap((one) => [...shapesOf(one)]));
  const other = [...shapesOf(contentOf(`${cwd}/recording`))].filter((shape) => !known.has(shape));
  assert.deepEqual(other, [], 'The format of recordings has changed: run npm run fixtures');
});

test('the recordings in test/fixtures have no path of the machine that made them', () => {
  for (const name of Object.keys(fixtureProjects))
    for (const recording of recordings(name))
      for (const [file, text] of Object.entries(recording))
        assert.doesNotMatch(text, /\/(?:tmp|root|home|Users)\/[\w-]+\//, `${name} ${file}`);
});

test('a copy is read as if it was recorded where it is, also below a folder with odd characters', async () => {
  for (const name of ['shop/first', 'reports/first', 'small/tiers'] as const) {
    const { project, recording } = copyFixture(name, { project: `${temporaryProject({})}/ä b%25` });
    const { stdout } = await runCli(['analyze', recording, '--json'], { cwd: project });
    const { warnings, lines } = parseReport(stdout);
    assert.deepEqual(warnings, []);
    assert.ok(lines.length > 0);
    for (const { url } of lines) assert.equal(filePathOf(url)?.startsWith(project), true, url);
  }
});

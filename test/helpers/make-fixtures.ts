// `npm run fixtures [-- PROJECT | PROJECT/RUN …]`: records runs of fixture-runs.ts, and keeps them in
// test/fixtures/recordings. The runs that were not named stay as they are.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FixtureRun, fixtureProjects } from './fixture-runs.ts';
import { projectFile, projectRoot } from './project.ts';
import {
  contentOf,
  type FixtureArchive,
  packed,
  placeholders,
  readArchive,
  rewritten,
  writeArchive,
  writeFiles,
} from './fixture-archive.ts';
import { parseReport } from './report-schema.ts';
import { runCli } from './run-cli.ts';
import type { Files } from './temporary-repository.ts';

/** A recording in which samples came late, or something was lost, is made again: figures of fixtures are exact. */
const mostAttempts = 15;

const isOfBusyMachine = /^The machine was busy|are estimates|an estimate|is estimated/;

/** Says how much garbage a program makes. Nothing was lost. */
const isOfGarbage = /went into \d+ scavenges/;

const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hotspan-fixtures-')));
const env = { ...process.env, PORT: '3977', XDG_CACHE_HOME: path.join(home, 'cache'), PATH: pathOfTools() };

const wanted = process.argv.slice(2);
try {
  for (const [name, project] of Object.entries(fixtureProjects)) {
    if (!Object.keys(project.runs).some((run) => isWanted(name, run))) continue;
    writeArchive(name, await recordProject(name, project));
    const { size } = statSync(projectFile('test/fixtures/recordings', `${name}.json.br`));
    console.log(`${name}: ${Object.keys(project.runs).length} recordings, ${Math.ceil(size / 1000)} kB`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function isWanted(project: string, run: string): boolean {
  return wanted.length === 0 || wanted.includes(project) || wanted.includes(`${project}/${run}`);
}

/** `node` is the one that runs this. */
function pathOfTools(): string {
  return `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;
}

async function recordProject(
  name: string,
  { from, runs }: { readonly from: string | Files; readonly runs: Readonly<Record<string, FixtureRun>> },
): Promise<FixtureArchive> {
  const folder = path.join(home, name);
  const isOld = (file: string): boolean => path.basename(file) === '.cache' || file.endsWith('package-lock.json');
  if (typeof from === 'string')
    cpSync(projectFile(from), folder, { recursive: true, verbatimSymlinks: true, filter: (file) => !isOld(file) });
  else writeFiles(folder, allPacked(from));
  const files = contentOf(folder, (file) => !file.startsWith('node_modules'));
  const recorded: Record<string, FixtureArchive['runs'][string]> = {};
  for (const [run, what] of Object.entries(runs)) {
    const kept = isWanted(name, run) ? undefined : readArchive(name).runs[run];
    const changes = allPacked(what.changes ?? {});
    for (const [file, text] of Object.entries(changes))
      assert.notEqual(text, files[file], `${run} changes nothing in ${file}`);
    writeFiles(folder, { ...files, ...changes });
    recorded[run] = kept ?? { changes, recording: await recordRun(folder, run, what) };
  }
  return { files, runs: recorded };
}

function allPacked(texts: Files): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, packed(text)]));
}

async function recordRun(
  cwd: string,
  run: string,
  fixture: FixtureRun,
  attempt = 1,
): Promise<Readonly<Record<string, string>>> {
  const { command, options = [], mayBeBusy = false } = fixture;
  const out = path.join(home, 'recording');
  rmSync(out, { recursive: true, force: true });
  const { stderr } = await runCli(['record', '--quiet', '--out', out, ...options, '--', ...command], { cwd, env });
  const { stdout } = await runCli(['analyze', '--json', out], { cwd, env });
  const told = stdout === '' ? [stderr] : parseReport(stdout).warnings;
  const warnings = told.filter(
    (warning) => !isOfGarbage.test(warning) && !(mayBeBusy && isOfBusyMachine.test(warning)),
  );
  const isKilled = warnings.some((warning) => warning.includes(' was killed, '));
  if (run === 'killed' ? isKilled : warnings.length === 0) {
    console.log(`${path.basename(cwd)}/${run}: recorded`);
    return Object.fromEntries(Object.entries(contentOf(out)).map(([file, text]) => [file, withoutPlaces(text, cwd)]));
  }
  console.log(`${path.basename(cwd)}/${run}, attempt ${attempt}: ${warnings.join(' ')}`);
  assert.ok(attempt < mostAttempts, `${run} could not be recorded without a warning`);
  await delay(attempt * 500);
  return recordRun(cwd, run, fixture, attempt + 1);
}

/** With placeholders in place of this machine's paths. */
function withoutPlaces(text: string, project: string): string {
  const portable = rewritten(text, (part) =>
    part
      .replaceAll(project, placeholders.project)
      .replaceAll(projectRoot, placeholders.hotspan)
      .replaceAll(process.execPath, placeholders.node)
      .replaceAll(home, `${placeholders.hotspan}/.cache`),
  );
  rewritten(portable, (part) => {
    for (const place of [home, projectRoot, os.homedir()])
      assert.ok(!part.includes(`${place}/`), `A path below ${place} is left in a recording`);
    return part;
  });
  return portable;
}

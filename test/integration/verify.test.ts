// Verdicts are tested on recordings in test/cli/commands/, and live in lab/nightly/verify-live.test.ts.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { isRecord } from '../../protocol/json-value.ts';
import { busyFor } from '../helpers/busy-for.ts';
import { shopFiles, work } from '../helpers/blocking-shop.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';
import { parseComparison, parseReport } from '../helpers/report-schema.ts';
import type { CliRun } from '../helpers/run-cli.ts';
import { type Files, newFolder, Repository, write } from '../helpers/temporary-repository.ts';
import { uncertainProgram, uncertainRecording } from '../helpers/uncertain-recording.ts';
import { assertJudged, run } from './judged-runs.ts';

/** The shop of the other tests, where `rank` takes no time. */
const shop = (ms: number): string => `${work('quote', ms)}module.exports = { quote, rank: () => 0 };\n`;
const shopTests = String(shopFiles['shop.test.js']);
const quickShop: Files = { ...shopFiles, 'shop.js': shop(70) };
const writes = "require('node:fs').writeFileSync('report.json', String(Date.now()));\n";
/** In one process. */
const tests = ['--', process.execPath, '--test', '--test-isolation=none', 'shop.test.js'];

/** Stops it as Ctrl+C does when it is done with one pair, and has said what failed. */
const afterOnePair = async (repository: Repository, ...words: readonly string[]): Promise<CliRun> =>
  repository.run(words, { onStderr: (said, child) => said.includes('Pair 2 of 3') && child.kill('SIGINT') });

describe('hotspan baseline and recheck', () => {
  test('run both versions in turn, and leave the repository as it was', async () => {
    const repository = new Repository(quickShop);
    repository.git('branch', '--move', 'trunk');
    write(repository.folder, { 'new.js': 'exports.isNew = true;\n' });
    const set = await run(repository, 'baseline', ...tests);
    assert.match(set.stderr, /The baseline "main" is set: [35] runs of /);
    assert.match((await run(repository, 'baseline', '--list')).stdout, /^main {2}just now · .* · with its sources/);
    const [status, refs] = [repository.git('status', '--porcelain'), repository.git('branch', '--all')];

    write(repository.folder, { 'shop.js': `${shop(15)}throw new Error();\n` });
    const broken = await run(repository, 'recheck', 'shop.js:4', '--json');
    const answer = parseComparison(broken.stdout);
    const rows = answer.functions.map(({ was, verdict, textChanged }) => [was?.label, verdict, textChanged]);
    assert.deepEqual([broken.code, answer.order, rows], [3, 'interleaved', [['quote', 'notReached', true]]]);
    assert.match(broken.stderr, /The whole command fails, too, so only the test files are run again\./);
    assert.match(answer.warnings.join('\n'), /The command failed on your work tree in 3 of 3 runs/);
    const compared = await run(repository, 'compare', '--baseline', 'main', '--setup', 'exit 7');
    assert.match(`${compared.code} ${compared.stderr}`, /^2 .*Preparing the baseline "main" [^]*exit code 7/);
    assert.equal(repository.git('branch', '--all'), refs);
    repository.assertClean(` M shop.js\n${status}`);

    const { stderr: meant } = await run(repository, 'compare', '--base', 'main', ...tests);
    assert.match(meant, /There is no commit "main" .*For the baseline of this name, give --baseline main\.$/m);
    await run(repository, 'baseline', '--delete', 'main');
    assert.equal(repository.git('for-each-ref', 'refs/hotspan'), '');
    const gone = await run(repository, 'compare', '--baseline', 'main');
    assert.deepEqual([gone.code, gone.stderr.includes('The baseline "main" does not exist here')], [2, true]);
  });

  test('a baseline is set where tests fail, but not where none was seen to run', async () => {
    const failing = "\nrequire('node:test').test('fails', () => { throw new Error(); });\n";
    const repository = new Repository({ ...shopFiles, 'shop.js': shop(20), 'shop.test.js': shopTests + failing });
    const set = await run(repository, 'baseline', ...tests);
    assert.equal(set.code, 0, set.stderr);
    const said = /The command failed \(exit code 1\): the baseline has what ran\. Its output is in (.+)\.$/gm;
    const [[, output = ''] = [], ...others] = set.stderr.matchAll(said);
    assert.deepEqual([existsSync(output), others], [true, []]);
    assert.match(set.stderr, /The baseline "main" is set: [35] runs of .*\.js\.$/m);
    write(repository.folder, { 'shop.js': 'throw new Error();\n' });
    const unset = await run(repository, 'baseline', '--', process.execPath, '--test', 'shop.test.js');
    assert.equal(unset.code, 2);
    assert.match(unset.stderr, /failed \(exit code 1\) and reported no test, so no baseline is set\./);
    // What reports no tests at all is judged by whether own code ran.
    write(repository.folder, { 'script.js': `${work('quote', 20)}quote();\nprocess.exitCode = 1;\n` });
    const script = await run(repository, 'baseline', '--', process.execPath, 'script.js');
    const replaced =
      /the baseline has what ran\.[^]*The baseline "main" is set: [35] runs of .* It replaces the one set/;
    assert.match(script.stderr, replaced);
    const missing = await run(repository, 'baseline', '--', process.execPath, 'missing.js');
    assert.match(missing.stderr, /failed \(exit code 1\) and none of your code was seen, so no baseline is set\./);
  });
});

describe('hotspan recheck without a baseline', () => {
  test('takes the newest recording that has the function, and runs nothing where no code differs from it', async () => {
    const repository = new Repository({ ...quickShop, 'unrun.js': 'exports.unrun = () => 1;\n' });
    await run(repository, 'record', '--quiet', ...tests);
    await run(repository, 'record', '--quiet', '--', process.execPath, '-e', '0');
    const recheck = async (...words: readonly string[]): Promise<CliRun> =>
      run(repository, 'recheck', 'quote', ...words);
    const planned = await recheck('--dry-run', '--json');
    assert.match(planned.stderr, /quote was not seen in the newest .* -e 0"\)\. .* is taken: .* shop\.test\.js"\.\n$/);
    const unrun = await run(repository, 'recheck', 'unrun.js:1');
    assert.match(`${unrun.code} ${unrun.stderr}`, /^2 .*seen in the newest .* and 1 older one: record what runs it/);
    const dry: unknown = JSON.parse(planned.stdout);
    assert.ok(isRecord(dry));
    assert.deepEqual([dry['runs'], dry['testFiles']], [6, ['shop.test.js']]);

    write(repository.folder, { 'shop.js': `// Quotes.\n${shop(70)}`, 'README.md': '# Shop\n' });
    const unedited = await recheck();
    assert.deepEqual([unedited.code, unedited.stderr.includes('Pair 1')], [0, false]);
    assert.match(unedited.stdout, /^No code differs from the last recording/);
    for (const base of [[], ['--base', 'HEAD']]) {
      const { code, stderr } = await recheck('--setup', 'exit 7', ...base);
      assert.match(`${code} ${stderr}`, /^2 [^]*Preparing (the recorded code|HEAD) [^]*exit code 7/);
    }
    repository.assertClean(' M shop.js\n?? README.md\n');
  });

  test('runs the recorded code in turn with a file that was moved, and no longer than the caller allows', async () => {
    const testsOf = (file: string): string => writes + shopTests.replace('./shop.js', file);
    const { 'shop.js': _, ...others } = quickShop;
    const repository = new Repository({ ...others, 'lib/shop.js': shop(70), 'shop.test.js': testsOf('./lib/shop.js') });
    await run(repository, 'record', '--quiet', ...tests);
    const dry: unknown = JSON.parse((await run(repository, 'recheck', 'quote', '--dry-run', '--json')).stdout);
    assert.ok(isRecord(dry));
    repository.git('mv', 'lib', 'src');
    repository.git('mv', 'src/shop.js', 'src/store.js');
    // Less than a factor of two is open after three pairs.
    write(repository.folder, { 'src/store.js': shop(90), 'shop.test.js': testsOf('./src/store.js') });
    const status = repository.git('status', '--porcelain');
    const atMost = `--at-most=${Number(dry['usPerRun']) * 8}us`;
    const { code, stdout, stderr } = await run(repository, 'recheck', 'src/store.js:4', '--json', atMost);
    assert.match(stderr, /Pair 3 of 3[^]*5 pairs take about .*, more than .*: run "hotspan recheck" without/);
    const { base, functions, order } = parseComparison(stdout);
    assert.deepEqual([code, base.name, order], [3, 'the recorded code', 'interleaved'], stderr);
    const rows = functions.map(({ was, is, matchedBy, verdict }) => [was?.file, is?.file, matchedBy, verdict]);
    assert.deepEqual(rows, [['lib/shop.js', 'src/store.js', 'file', 'tooNoisy']]);
    repository.assertClean(status);
  });

  test('runs no text of a recording that somebody else made', async () => {
    const repository = new Repository(shopFiles);
    const { recording } = copyFixture('small/run-1', { project: repository.folder });
    write(repository.folder, { 'shop.js': shop(15) });
    const words = ['recheck', 'quote', '--recording', recording, '--at-most', '1ms'];
    const { code, stderr } = await run(repository, ...words, '--', 'node', '--test', 'shop.test.js');
    assert.equal(code, 3, stderr);
    assert.match(stderr, /\(the recording was not made here, or not to its end\)/);
    assert.match(stderr, /This takes about [\d.]+ m?s, more than 1 ms: run "hotspan recheck" without --at-most\.\n$/);
  });
});

describe('hotspan recheck of code that cannot run again', () => {
  test('does not take a commit for the recorded code that lacks files which ran', async () => {
    const repository = new Repository({ ...quickShop, '.gitignore': 'shop.js\n', 'prices.json': '{}' });
    write(repository.folder, { 'errors.log': '', 'local.json': '{}' });
    await run(repository, 'record', '--quiet', ...tests);
    const recheck = async (): Promise<string> => (await run(repository, 'recheck', 'quote', '--at-most', '1ms')).stderr;
    assert.match(await recheck(), /\(git ignores shop\.js, which ran\), so only a factor of two is a result/);
    const typed = await run(repository, 'recheck', 'quote', '--', process.execPath, '-e', '0');
    assert.match(`${typed.code} ${typed.stderr}`, /^2 .*which ran\), and its recording is of another command \(/);
    // What was not there when it was recorded may be what the tests have written.
    write(repository.folder, { 'written.json': '{}', 'errors.log': 'Error', 'shop.js': shop(15) });
    repository.git('add', '--force', 'shop.js');
    assert.match(await recheck(), /^hotspan: This takes about .*\n$/);
    write(repository.folder, { 'local.json': '[]' });
    assert.match(await recheck(), /\(local\.json changed, and the recording has not kept its text\)/);
    write(repository.folder, { 'prices.json': '[]' });
    assert.match(await recheck(), /\(prices\.json changed, and the recording has not kept its text\)/);
  });

  test('gives no verdict where a base lacks what git ignores and the command used: code that ran, or data', async () => {
    const read = "let ms = 30;\ntry { require('./local.js'); ms = require('./local.json'); } catch {}\n";
    const program = `${read}${work('quote', 'ms')}setTimeout(quote, 5);\n`;
    const repository = new Repository({ 'main.js': program, '.gitignore': 'local*\n' });
    const assertNone = async (why: RegExp, ...words: readonly string[]): Promise<void> => {
      const { code, stdout, stderr } = await run(repository, 'recheck', 'quote', ...words);
      assert.deepEqual([code, stdout], [3, ''], stderr);
      assert.match(stderr, why);
    };
    write(repository.folder, { 'local.js': busyFor(60), 'local.json': '150' });
    const set = await run(repository, 'baseline', '--', process.execPath, 'main.js');
    assert.match(set.stderr, /The sources were kept without local\.js, which ran and which git ignores\./);
    write(repository.folder, { 'main.js': `${program}0;\n` });
    await assertNone(/local\.js ran, and git ignores it, so the baseline "main" does not have it/);
    await assertNone(
      /No verdict: the baseline "main" does not take the time that it took when it was set/,
      ...['--setup', 'echo > local.js'],
    );
  });

  test('compares with the figures of the last recording if its code fails beside the work tree', async () => {
    const program = (ms: number): string =>
      `${work('quote', ms)}setTimeout(quote, 5);\n${writes}require('./made.json');\n`;
    const repository = new Repository({ 'main.js': program(60), '.gitignore': 'made.json\n' });
    write(repository.folder, { 'made.json': '{}' });
    await run(repository, 'record', '--quiet', '--', process.execPath, 'main.js');
    write(repository.folder, { 'main.js': program(15) });
    const rechecked = await run(repository, 'recheck', 'quote');
    assertJudged(rechecked);
    assert.match(rechecked.stderr, /\(it fails beside your work tree, see .*\), so only a factor of two is a result/);
    assert.match(rechecked.stderr, /failed on the recorded code in 1 of 1 run \(/);
    assert.match(rechecked.stdout, /^quote, main\.js:2: /);
  });

  test('says early what is beyond doubt, and runs the recorded code of a file whose name has a line break', async () => {
    const odd = (ms: number) => ({ 'new\nline.js': `${work('quote', ms)}setTimeout(quote, 5);\n` });
    const repository = new Repository(odd(60));
    await run(repository, 'record', '--quiet', '--', process.execPath, 'new\nline.js');
    write(repository.folder, odd(15));
    const { stderr } = await afterOnePair(repository, 'recheck', 'new\nline.js:3');
    assert.match(stderr, /so far: [\d.]+ → (≈|≤ )[\d.]+ ms, 1 run\nhotspan: Pair 1 of 3 …\nhotspan: Pair 2 of 3/);
    assert.doesNotMatch(stderr, /fail/);
  });
});

/** The whole command ran instead of its test files, and did not fail. */
function assertInstead(ran: CliRun): void {
  assertJudged(ran);
  assert.match(
    ran.stderr,
    /The test files fail by themselves, so the whole command is run\. Their output is in \S+\.log\./,
  );
  assert.doesNotMatch(ran.stderr + ran.stdout, /[Cc]ommand failed|not seen(:| now| before)/);
}

describe('test files that fail without the rest of their command', () => {
  const needs = "if (process.env.SHOP !== 'open') throw new Error('The shop is closed.');";
  const open = "process.env.SHOP = 'open';\n";
  const suite = `${open}require('./shop.test.js');\n`;
  const files: Files = { ...quickShop, 'suite.js': suite, 'shop.test.js': `${needs}${shopTests}` };
  const whole = ['--', process.execPath, 'suite.js'];

  test('are re-checked by the whole command, where they fail on either side', async () => {
    const repository = new Repository(files);
    await run(repository, 'record', '--quiet', ...whole);
    write(repository.folder, { 'shop.js': shop(15) });
    const ran = await afterOnePair(repository, 'recheck', 'quote');
    assertInstead(ran);
    assert.match(
      ran.stderr,
      /re-check against the recorded code: 6 to 16 × .*, shop\.test\.js\n[^]*re-check: 6 to 16 × .*, the whole command\n/,
    );
    write(repository.folder, { 'shop.test.js': shopTests });
    const onBase = await run(repository, 'recheck', 'quote', '--base', 'HEAD');
    assertInstead(onBase);
    assert.match(onBase.stderr, /Pair 1 of 3 …\n.*\.log\. If a build is missing in the base, --setup "npm run build"/);
    assert.match(onBase.stdout, /^quote, shop\.js:\d+: /);
    repository.git('mv', 'shop.test.js', 'new.test.js');
    const others = `require('node:test').test('another', () => {\n${busyFor(150)}\n});\n`;
    const both = `${open}require('./new.test.js');\nrequire('./others.test.js');\n`;
    write(repository.folder, { 'suite.js': both, 'others.test.js': others });
    await run(repository, 'record', '--quiet', ...whole);
    const again = ['recheck', 'quote', '--base', 'HEAD'];
    const plan: unknown = JSON.parse((await run(repository, ...again, '--dry-run', '--json')).stdout);
    const long = await run(repository, ...again, `--at-most=${isRecord(plan) ? Number(plan['usPerRun']) * 6 : 0}us`);
    assert.match(`${long.code} ${long.stderr}`, /^3 [^]*on HEAD\. re-check: .*, the whole command\n.*This takes .*\n$/);
  });

  test('are compared and checked by the whole command', async () => {
    const repository = new Repository(files);
    write(repository.folder, { 'shop.js': shop(170) });
    const compared = await run(repository, 'compare', '--base', 'HEAD', '--json', ...whole);
    assertInstead(compared);
    assert.match(compared.stderr, /Confirming pair 1 of 3 …\nhotspan: The test files fail/);
    const { head, functions } = parseComparison(compared.stdout);
    assert.deepEqual([head.runs.length >= 6, functions[0]?.is?.label], [true, 'quote']);
    const budget = { version: 1, functions: { 'shop.js#quote': { worstMs: 20 } } };
    write(repository.folder, { 'hotspan.budget.json': JSON.stringify(budget) });
    const checked = await run(repository, 'check', ...whole);
    assertInstead(checked);
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /quote {2}shop\.js:2/);
  });

  const loads: Files = {
    ...files,
    ...uncertainProgram,
    'shop.test.js': `${needs} require('node:test'); require('./shop.js');\n`,
  };

  test('are run again by the whole command, to make sure', async () => {
    const repository = new Repository(loads);
    const recording = uncertainRecording(repository.folder, ['node', 'suite.js'], 2, 'shop.test.js');
    const sure = await run(repository, 'make-sure', recording, ...whole);
    assertInstead(sure);
    assert.match(sure.stderr, /2 uncertain findings: 2 × .*, 1 test file[^]*: 1 seen again, 1 not\./);
  });

  test('are run again by themselves with the options of the command', async () => {
    const repository = new Repository({ ...loads, 'open.js': open });
    const command = [process.execPath, '--require', './open.js', '--test'];
    const recording = uncertainRecording(repository.folder, command, 2, 'shop.test.js');
    const { stderr } = await run(repository, 'make-sure', recording, '--', ...command);
    assert.match(stderr, /2 uncertain findings: 2 × .*, 1 test file[^]*: 1 seen again, 1 not\./);
    assert.doesNotMatch(stderr, /by themselves|failed/);
  });
});

test('hotspan recheck takes the line that a recording names, after an edit too, and names what it judged', async () => {
  const other = 'function other(a) {\n  const b = a + 1;\n  return b * 2;\n}\nsetTimeout(() => other(quote()), 5);\n';
  const repository = new Repository({ 'main.js': `${work('quote', 150)}${other}`, 'prices.json': '' });
  const { stderr } = await run(repository, 'record', '--', process.execPath, 'main.js');
  const next = /After a fix: "hotspan recheck main\.js:(\d)"\.\nMore: "hotspan analyze --all"\.\n$/.exec(stderr);
  write(repository.folder, { 'main.js': `const quote = () => 1;\n${other}` });
  const recheck = async (line: number): Promise<string> => (await run(repository, 'recheck', `main.js:${line}`)).stdout;
  assert.match(await recheck(Number(next?.[1])), /^quote, main\.js:\d+: (faster|gone), was /);
  // Of another price list no base is run, which saves half of the runs.
  const moved = `const quote = () => 1;${'\n'.repeat(10)}${other}`;
  write(repository.folder, { 'main.js': moved, 'prices.json': '{}' });
  assert.equal(await recheck(12), 'other, main.js:12: never over 10 ms, neither before nor now.\n');
});

test('hotspan make-sure runs uncertain findings again, and the recording keeps which of them were seen again', async () => {
  const repository = new Repository(uncertainProgram);
  const recording = uncertainRecording(repository.folder, ['node', 'shop.js']);
  const closed = async (): Promise<readonly unknown[]> => {
    const { findings } = parseReport((await run(repository, 'analyze', '--json', recording)).stdout);
    return ['quote', 'rank'].map((name) => findings.find((finding) => finding.name === name)?.closedBecause);
  };
  const offer = /To be sure of 2 uncertain findings: "hotspan make-sure" \(2 × about 76 ms, the whole command\)/;
  assert.match((await run(repository, 'analyze', recording)).stdout, offer);
  const makeSure = async (...words: readonly string[]): Promise<CliRun> =>
    run(repository, 'make-sure', recording, ...words);
  const dry = await makeSure('--dry-run');
  const plan = 'hotspan: 2 uncertain findings: 2 × about 76 ms, the whole command.\n';
  assert.deepEqual([dry.code, dry.stdout, dry.stderr], [0, '', plan]);
  assert.match((await makeSure()).stderr, /not by you on this machine/);
  const failed = await makeSure('--', process.execPath, '-e', 'process.exit(3)');
  assert.match(`${failed.code} ${failed.stderr}`, /^2 [^]*The command failed \(exit code 3\)/);
  const sure = await makeSure('--', process.execPath, 'shop.js');
  assert.equal(sure.code, 0, sure.stderr);
  assert.match(sure.stderr, /2 uncertain findings: 1 seen again, 1 not\./);
  assert.match(sure.stdout, /^≈?36 ms worst .* quote/m);
  assert.deepEqual(await closed(), [null, 'notAgain']);
  assert.match((await makeSure()).stderr, /No finding is uncertain/);
});

test('never runs the command of a recording that comes from another folder or user', async () => {
  const [there, repository] = [new Repository({}), new Repository(shopFiles)];
  await there.run(['record', '--quiet', '--out', 'out', '--', process.execPath, '-e', '0']);
  const words = ['baseline', '--recording', path.join(there.folder, 'out')];
  const other = await there.run(words, { cwd: repository.folder });
  assert.match(
    `${other.code} ${other.stderr}`,
    /^2 .*was recorded in .*: run this there, or give the command after "--"/,
  );
  const { recording } = copyFixture('small/run-1', { project: repository.folder });
  const file = path.join(recording, 'recording.json');
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  assert.ok(isRecord(manifest));
  const trap = path.join(newFolder(), 'pwned');
  writeFileSync(file, JSON.stringify({ ...manifest, command: ['touch', trap] }));
  const compare = ['compare', '--base', 'HEAD', '--recording', recording];
  for (const words of [['recheck', 'quote'], ['baseline'], ['check', '--update'], compare]) {
    const { code, stderr } = await run(repository, ...words);
    assert.match(`${code} ${stderr}`, /^2 [^]*not by you on this machine/);
  }
  assert.ok(!existsSync(trap));
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseArguments } from '../../cli/arguments/arguments.ts';
import { milliseconds } from '../../protocol/units.ts';

const complaint = (...words: readonly string[]): string => {
  const parsed = parseArguments(words);
  return parsed.type === 'invalid' ? parsed.message : `taken as ${parsed.type}`;
};

describe('hotspan', () => {
  test('shows its help when asked nothing', () => {
    assert.deepEqual(parseArguments([]), { type: 'help', topic: 'hotspan' });
    assert.deepEqual(parseArguments(['--help']), { type: 'help', topic: 'hotspan' });
    assert.deepEqual(parseArguments(['analyze', '--help']), { type: 'help', topic: 'analyze' });
  });

  test('names the commands that there are', () => {
    assert.match(complaint('profile'), /no command "profile".*hotspan record/);
  });
});

describe('hotspan record', () => {
  test('takes everything after -- as the command, also what looks like its own options', () => {
    const parsed = parseArguments(['record', '--quiet', '--', 'npm', 'test', '--', '--quiet', '--out', 'x']);
    assert.ok(parsed.type === 'record');
    assert.deepEqual(parsed.options.command, ['npm', 'test', '--', '--quiet', '--out', 'x']);
    assert.ok(parsed.options.quiet);
    assert.ok(!('out' in parsed.options));
  });

  test('notes are kept as they are written', () => {
    const parsed = parseArguments([
      'record',
      '--note=It runs once.',
      '--note',
      'Coverage is off.',
      '--',
      'npm',
      'test',
    ]);
    assert.equal(parsed.type, 'record');
    assert.deepEqual(parsed.type === 'record' && parsed.options.notes, ['It runs once.', 'Coverage is off.']);
  });

  test('shows the command with its -- when that was left out', () => {
    assert.match(complaint('record', 'npm', 'test'), /hotspan record -- npm test/);
  });

  test('needs a command', () => {
    assert.match(complaint('record'), /what to record/);
    assert.match(complaint('record', '--'), /what to record/);
  });

  test('refuses an interval that V8 cannot keep, and says what suits', () => {
    for (const interval of ['0', '49', '10001', '1.5', 'fast', ''])
      assert.match(complaint('record', '--interval', interval, '--', 'x'), /from 50 to 10000/);
  });

  test('names an option that it does not know', () => {
    assert.equal(complaint('record', '--heat', '--', 'x'), 'Unknown option \'--heat\': see "hotspan record --help".');
  });
});

describe('hotspan analyze', () => {
  test('needs a path', () => {
    assert.match(complaint('analyze', '--all'), /a recording folder, a .cpuprofile file/);
  });

  test('takes limits in milliseconds, also parts of one', () => {
    const parsed = parseArguments(['analyze', 'a', 'b', '--threshold', '2.5', '--fail-over=100', '--json']);
    assert.ok(parsed.type === 'analyze');
    const { paths, thresholdUs, failOverUs, format } = parsed.options;
    assert.deepEqual(
      [paths, thresholdUs, failOverUs, format],
      [['a', 'b'], milliseconds(2.5), milliseconds(100), 'json'],
    );
  });

  test('shows a table over 10 ms when nothing else is said, and fails nothing', () => {
    const parsed = parseArguments(['analyze', 'a']);
    assert.ok(parsed.type === 'analyze');
    const { format, thresholdUs, failOverUs, sourceMaps } = parsed.options;
    assert.deepEqual([format, thresholdUs, failOverUs, sourceMaps], ['table', milliseconds(10), null, true]);
  });

  test('looks as low as the limit that it has to judge by', () => {
    const parsed = parseArguments(['analyze', 'a', '--fail-over', '5']);
    assert.ok(parsed.type === 'analyze');
    assert.equal(parsed.options.thresholdUs, milliseconds(5));
  });

  test('refuses limits that are none', () => {
    for (const limit of ['0', '-1', 'ten', '', 'NaN', 'Infinity', '0x10', '1e400', '10ms', '9'.repeat(40)]) {
      assert.match(complaint('analyze', 'a', `--fail-over=${limit}`), /--fail-over is a number of milliseconds/);
      assert.match(complaint('analyze', 'a', '--threshold', limit), /--threshold is a number of milliseconds/);
    }
  });

  test('looks no closer than a microsecond', () => {
    const parsed = parseArguments(['analyze', 'a', '--threshold', '0.0001']);
    assert.ok(parsed.type === 'analyze');
    assert.equal(parsed.options.thresholdUs, milliseconds(0.001));
  });

  test('refuses names that are empty', () => {
    assert.match(complaint('analyze', ''), /^Say what to analyze/);
    assert.match(complaint('analyze', 'a', '--root', ''), /^--root is empty/);
    assert.match(complaint('recordings', ''), /^Give one folder/);
    assert.match(complaint('histogram', '', ''), /^Give the log/);
  });

  test('leaves short operations out of the JSON where nobody asks for them', () => {
    const shown = (...words: readonly string[]): unknown => {
      const parsed = parseArguments(['analyze', 'a', '--json', ...words]);
      return parsed.type === 'analyze' ? parsed.options.operations : parsed;
    };
    assert.deepEqual([shown(), shown('--operations', 'all')], ['long', 'all']);
    assert.match(complaint('analyze', 'a', '--json', '--operations', 'short'), /^--operations is "long", or "all"/);
    assert.match(complaint('analyze', 'a', '--operations', 'all'), /^--operations is for --json/);
  });

  test('prints one thing at a time', () => {
    assert.match(complaint('analyze', 'a', '--json', '--markdown'), /one of --json and --markdown/);
  });
});

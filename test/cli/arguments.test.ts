import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseArguments } from '../../cli/arguments/arguments.ts';
import type { Option } from '../../cli/arguments/command.ts';
import { commands } from '../../cli/arguments/commands.ts';
import { milliseconds } from '../../protocol/units.ts';

const complaint = (...words: readonly string[]): string => {
  const parsed = parseArguments(words);
  return parsed.type === 'invalid' ? parsed.message : `taken as ${parsed.type}`;
};

/** What is taken of these words; fails where that is no `hotspan record`, or no `hotspan analyze`. */
const recorded = (...words: readonly string[]) => {
  const parsed = parseArguments(words);
  return parsed.type === 'record' ? parsed.options : assert.fail(JSON.stringify(parsed));
};
const analyzed = (...words: readonly string[]) => {
  const parsed = parseArguments(['analyze', ...words]);
  return parsed.type === 'analyze' ? parsed.options : assert.fail(JSON.stringify(parsed));
};

describe('hotspan', () => {
  const topicOf = (...words: readonly string[]): unknown => {
    const parsed = parseArguments(words);
    return parsed.type === 'help' ? (parsed.topic?.name ?? 'hotspan') : parsed;
  };

  test('shows its help, and that of a command, before and after its name', () => {
    for (const words of [['--help'], ['-h'], ['help'], ['help', '--help']]) assert.equal(topicOf(...words), 'hotspan');
    for (const words of ['analyze --help', 'analyze a -h', 'help analyze'])
      assert.equal(topicOf(...words.split(' ')), 'analyze');
    assert.match(complaint('help', 'anlyze'), /did you mean "hotspan help analyze"\?$/);
    assert.match(complaint('help', 'xyzzy'), /the commands are record, load, analyze, .* or completion\.$/);
  });

  test('tells its version, and what to do where nothing is typed is not decided here', () => {
    for (const word of ['-v', '-V', '--version']) assert.deepEqual(parseArguments([word]), { type: 'version' });
    assert.deepEqual(parseArguments([]), { type: 'nothing' });
  });

  test('records what follows --, also with options of record before it', () => {
    const { command, quiet, out } = recorded('-q', '--out', 'x', '--', 'npm', 'test');
    assert.deepEqual([command, quiet, out], [['npm', 'test'], true, 'x']);
    assert.match(complaint('-q', 'npm', 'a b'), /type "hotspan record -q npm 'a b'"/);
  });

  test('says of a first word that is not a command what to type instead', () => {
    assert.match(complaint('profile', '--', 'x'), /did you mean "hotspan record -- x"\?$/);
    assert.match(complaint('recrod', '--', 'x'), /did you mean "hotspan record -- x"\?$/);
    assert.match(complaint('npm', 'test'), /to record it, type "hotspan -- npm test"/);
    assert.match(complaint('./old.cpuprofile'), /type "hotspan analyze \.\/old\.cpuprofile"/);
    assert.match(complaint('app.js'), /to record it, type "hotspan -- node app\.js"/);
    assert.match(complaint('baseline', '--list', '--delete', 'a'), /^Choose one of --list, --delete and /);
    assert.match(complaint('check', '--update', '--json', 'run'), /^--json is of a check, /);
    assert.match(complaint('--verison'), /did you mean --version\?$/);
  });
});

describe('hotspan record', () => {
  test('takes everything after -- as the command, also what looks like its own options', () => {
    const options = recorded('record', '--quiet', '--', 'npm', 'test', '--', '--quiet', '--out', 'x');
    assert.deepEqual(options.command, ['npm', 'test', '--', '--quiet', '--out', 'x']);
    assert.ok(options.quiet);
    assert.equal(options.out, null);
  });

  test('leaves the words of the command alone, whatever is before it', () => {
    const words = ['node', '--help', '-q', '--out=x', '--', '-'];
    for (const own of [[], ['--'], ['-q', '--'], ['--keep', '5', '--'], ['-qo', 'y']])
      assert.deepEqual(recorded('record', ...own, ...words).command, words);
    const checked = parseArguments(['check', '--json', '--', ...words]);
    assert.deepEqual(checked.type === 'check' ? checked.options.command : checked, words);
  });

  test('notes are kept as they are written', () => {
    const { notes } = recorded('record', '--note=It runs once.', '--note', 'Coverage is off.', '--', 'npm', 'test');
    assert.deepEqual(notes, ['It runs once.', 'Coverage is off.']);
  });

  test('begins the command at the first word that is neither an option nor a value of one', () => {
    const commandOf = (...words: readonly string[]) => recorded('record', ...words).command;
    assert.deepEqual(commandOf('npm', 'test'), ['npm', 'test']);
    assert.deepEqual(commandOf('-o', 'x', '-q', 'npm', 'test', '--', '-q'), ['npm', 'test', '--', '-q']);
    assert.deepEqual(commandOf('-qo', 'x', 'node', '--help'), ['node', '--help']);
    assert.deepEqual(commandOf('--out=x', '--note', 'Once.', 'node', 'a.js'), ['node', 'a.js']);
    assert.deepEqual(commandOf('--after-ready', '3000', '--load', '-c 2 /', 'node', 'a.js'), ['node', 'a.js']);
  });

  test('requests come from words or a file, with one way to count them', () => {
    const loadOf = (...words: readonly string[]) => recorded('record', ...words, '--', 'x').load;
    const file = loadOf('--load-file', 'a.http', '--rate', '50', '--duration', '2m', '--env', 'dev');
    assert.deepEqual(file, {
      ...{ ready: null, allowRemote: false, connections: 10, rate: 50, amount: null, durationS: 120, warmUpS: 2 },
      from: { type: 'file', file: 'a.http', environment: 'dev' },
    });
    assert.deepEqual(loadOf('--load-file', 'a.http', '--amount', '5')?.durationS, null);
    assert.equal(loadOf('--load', '-c 2 /', '--after-ready', '3000')?.ready?.href, 'http://localhost:3000/');
    assert.equal(loadOf(), null);
    const wrong = (...words: readonly string[]) => complaint('record', ...words, '--', 'x');
    assert.match(wrong('--load', '/', '--load-file', 'a.http'), /one of --load and --load-file/);
    assert.match(wrong('--load', '/', '--rate', '5'), /--rate is for --load-file: write it into --load/);
    assert.match(wrong('--load-file', 'a.http', '--amount', '5', '--duration', '5s'), /one of --amount and --duration/);
    assert.match(
      wrong('--load-file', 'a.http', '--connections', '65536'),
      /--connections is a whole number from 1 to 65535/,
    );
    assert.match(wrong('--load-file', 'a.http', '--duration', '1.5s'), /--duration is in whole seconds, .* not "1.5s"/);
    assert.match(wrong('--load-file', 'a.http', '--duration', '99999m'), /--duration is at most 2147483s/);
    assert.match(wrong('--warm-up', '2s'), /--warm-up needs the requests: --load .* or --load-file/);
    assert.match(wrong('--load-file', 'a.http', '--after-ready', 'http://'), /is an address such as/);
  });

  test('needs a command', () => {
    assert.match(complaint('record'), /what to record/);
    assert.match(complaint('record', '--'), /what to record/);
  });

  test('refuses an interval that V8 cannot keep, and says what suits', () => {
    for (const interval of ['0', '49', '10001', '1.5', '0.0501ms', '1s', '49us', 'fast'])
      assert.match(complaint('record', '--interval', interval, '--', 'x'), /from 50 to 10000/);
  });

  test('takes an interval in microseconds, or with a unit', () => {
    const intervalOf = (text: string) => recorded('record', '--interval', text, '--', 'x').intervalUs;
    const typed = ['200', '100us', '100 µs', '1ms', '0.1ms', '0.15ms', '.01s'];
    assert.deepEqual(typed.map(intervalOf), [200, 100, 100, 1000, 100, 150, 10_000]);
  });

  test('says of a wrong option what to type instead', () => {
    assert.equal(
      complaint('record', '--heat', '--', 'x'),
      '"hotspan record" has no option --heat: "hotspan help record" lists those that it has.',
    );
    for (const option of ['--constructor', '--toString', '--__proto__'])
      assert.match(complaint('analyze', option, 'x'), new RegExp(`^"hotspan analyze" has no option ${option}: `));
    for (const words of [['load', '-c', '5', '-a', '200', '/'] as const, ['record', '-d', '5', '--', 'x'] as const])
      assert.match(complaint(...words), /^"hotspan \w+" has no option -[cd]: .* --load "-c 5 -a 200 \/path"\.$/);
    assert.match(complaint('record', '--inteval', '99', '--', 'x'), /: did you mean --interval\?$/);
    assert.match(complaint('record', '--fail-over', '--', 'x'), /: it belongs to "hotspan analyze --fail-over"\.$/);
    assert.equal(complaint('record', '--out', '--quiet', '--', 'x'), '--out needs a value: write --out DIR.');
    assert.equal(complaint('record', '--quiet=1', '--', 'x'), '--quiet takes no value: write --quiet alone.');
  });
});

test('each option with a value needs one that is not empty nor the "--" of a command, and takes one alone unless it says so', () => {
  const valued = commands.flatMap(({ name, options }) =>
    Object.entries<Option>(options).flatMap(([option, { value }]) =>
      value === undefined ? [] : [{ name, option: `--${option}`, value }],
    ),
  );
  assert.ok(valued.length > 20);
  for (const { name, option, value } of valued) {
    for (const words of [[option, '--', 'node'], [option, ''], [`${option}=`]])
      assert.equal(complaint(name, ...words), `${option} needs a value: write ${option} ${value.name}.`);
    const [text = 'x'] = value.choices ?? [];
    const isTwice = complaint(name, option, text, option, text) === `${option} is given twice: leave one of them out.`;
    assert.equal(isTwice, !('isRepeated' in value || 'takesOperands' in value), option);
  }
  assert.equal(recorded('record', '--out=--', '--', 'node').out, '--');
});

describe('hotspan analyze', () => {
  test('needs no path, and takes - for what is piped in', () => {
    assert.deepEqual(analyzed('--all').paths, []);
    assert.deepEqual(analyzed('-', '--all').paths, ['-']);
    assert.deepEqual(analyzed('--', '--odd-name').paths, ['--odd-name']);
  });

  test('takes limits with a unit, and looks no closer than a microsecond', () => {
    const limits = { '10ms': 10, '0.5s': 500, '500us': 0.5, '500µs': 0.5, '2 MS': 2, '0.0001': 0.001 };
    for (const [text, ms] of Object.entries(limits))
      assert.equal(analyzed('a', '--threshold', text).thresholdUs, milliseconds(ms), text);
  });

  test('takes limits in milliseconds, also parts of one', () => {
    const words = ['a', 'b', '--threshold', '2.5', '--fail-over=100', '--json'];
    const { paths, thresholdUs, failOverUs, format } = analyzed(...words);
    assert.deepEqual(
      [paths, thresholdUs, failOverUs, format],
      [['a', 'b'], milliseconds(2.5), milliseconds(100), 'json'],
    );
  });

  test('shows a table over 10 ms when nothing else is said, and fails nothing', () => {
    const { format, thresholdUs, failOverUs, sourceMaps } = analyzed('a');
    assert.deepEqual([format, thresholdUs, failOverUs, sourceMaps], ['table', milliseconds(10), null, true]);
  });

  test('looks as low as the limit that it has to judge by', () => {
    assert.equal(analyzed('a', '--fail-over', '5').thresholdUs, milliseconds(5));
  });

  test('refuses limits that are none', () => {
    for (const limit of ['0', '-1', 'ten', 'NaN', 'Infinity', '0x10', '1e400', '10sec', '10 m', '9'.repeat(40)]) {
      assert.match(complaint('analyze', 'a', `--fail-over=${limit}`), /--fail-over is a time above 0, such as 10/);
      assert.match(complaint('analyze', 'a', '--threshold', limit), /--threshold is a time above 0, such as 10/);
    }
  });

  test('refuses paths that are empty', () => {
    assert.match(complaint('analyze', ''), /^A path is empty: give a recording/);
    assert.match(complaint('recordings', ''), /^Give one folder/);
    assert.match(complaint('histogram', '', ''), /^Give the log/);
  });

  test('leaves short operations out of the JSON where nobody asks for them', () => {
    const shown = (...words: readonly string[]) => analyzed('a', '--json', ...words).operations;
    assert.deepEqual([shown(), shown('--operations', 'all')], ['long', 'all']);
    assert.match(
      complaint('analyze', 'a', '--json', '--operations', 'short'),
      /^--operations is long or all, not "short"\.$/,
    );
    assert.match(complaint('analyze', 'a', '--operations', 'all'), /^--operations is for --json/);
  });

  test('prints one thing at a time', () => {
    assert.match(complaint('analyze', 'a', '--json', '--markdown'), /one of --json and --markdown/);
  });
});

describe('hotspan compare and recheck', () => {
  test('judge what is over the threshold that is given', () => {
    const compared = parseArguments(['compare', 'a', '--head', 'b', '--threshold=5ms']);
    assert.equal(compared.type === 'compare' ? compared.options.thresholdUs : compared.type, milliseconds(5));
    const checked = parseArguments(['recheck', 'src/cart.ts:12', '--threshold=500us']);
    assert.equal(checked.type === 'recheck' ? checked.options.thresholdUs : checked.type, milliseconds(0.5));
    assert.match(complaint('compare', '--base', 'main', '--threshold', '0', '--', 'npm', 'test'), /time above 0/);
  });

  test('a commit and recordings of the head are two ways to compare', () => {
    assert.match(complaint('compare', '--base', 'HEAD', '--head', 'a'), /choose one/);
    assert.match(complaint('compare', '--base', 'HEAD', 'npm', 'test'), /"hotspan compare --base HEAD -- npm test"\.$/);
  });
});

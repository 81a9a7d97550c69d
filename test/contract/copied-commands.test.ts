import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { parseArguments } from '../../cli/arguments/arguments.ts';
import { commands } from '../../cli/arguments/commands.ts';
import { outputOf } from '../../cli/views/terminal.ts';
import { shellText } from '../../words/formats/command-text.ts';
import { assertNone } from '../helpers/assert-each.ts';
import { sentencesBelow } from '../helpers/sentences.ts';

const folders = ['cli/arguments', 'cli/commands', 'cli/views', 'recorder/launch', 'words', 'extension'];
const sentences = sentencesBelow(folders);
const names = commands.map(({ name }) => name).join('|');

/** The words of a command, with something in place of what a person or the program fills in. */
function filledIn(command: string): readonly string[] {
  const filled = command
    .replace('BEFORE…', 'BEFORE')
    .replaceAll('…', 'x')
    .replace('MB', '100')
    .replace(' < FILE.cpuprofile', '');
  return filled.split(' ').slice(1);
}

test('each command in a sentence can be typed', () => {
  const written = sentences.flatMap(({ text, place }) =>
    [...text.matchAll(/["(](hotspan [^"()]+?)[")]/g)].map(([, command = '']) => ({ place, command })),
  );
  // What the command does, or its options, may be put in.
  const whole = written.filter(({ command }) => !/^hotspan (help |compare )?…/.test(command));
  assert.ok(whole.length > 50, `${whole.length} commands`);
  assertNone(whole, ({ command }) => {
    const words = filledIn(command);
    // A sentence about a command or an option names it without what is to be run.
    const isShort = !words.includes('--') && commands.some((one) => one.name === words[0]);
    const tries = isShort ? [words, [...words, '--', 'x'], [...words, 'x'], [...words, 'x', 'x']] : [words];
    return tries.every((one) => parseArguments(one).type === 'invalid');
  });
});

test('each command in a sentence stands in quotes or parentheses, so that no full stop is copied with it', () => {
  // One alone on its line has none either.
  const bare = new RegExp(`(?<!["(]|^…*|record as that user \\(… … )hotspan (?:${names})\\b`);
  assertNone(sentences, ({ text }) => bare.test(text));
});

test('what is put into a command is read by a shell as it is', { skip: process.platform === 'win32' }, () => {
  const words = ['a b', "it's", '$HOME', '*', 'src/cart.ts:12', '--map=/app=.', '', 'a;b', '~', '-t', '#1', 'é'];
  const read = execFileSync('sh', ['-c', `printf '%s\\n' ${shellText(words)}`], { encoding: 'utf8' });
  assert.deepEqual(read.trimEnd().split('\n'), words);
  assert.equal(shellText(['node', 'src/a.js', '--port=80']), 'node src/a.js --port=80');
  assert.equal(shellText(['C:\\rec', 'C:\\my rec'], true), 'C:\\rec "C:\\my rec"');
});

test('under npx, commands begin with npx; what only looks like one stays', () => {
  const printed = (env: NodeJS.ProcessEnv): string => {
    const texts: string[] = [];
    const stream = { write: (text: string) => texts.push(text), once: () => {} };
    const { say, write } = outputOf(stream, env);
    say('Not here: "hotspan record -- npm test" (hotspan -- FILE); the baseline of hotspan record.');
    write('\n  hotspan record -- npm test\n{"name":"hotspan","path":"/hotspan a","test":"hotspan works"}\n');
    for (const { name } of commands) write(`"hotspan ${name}"`);
    write('\n  A=1 hotspan record\n  cd a && hotspan record -- npm test\n');
    return texts.join('');
  };
  const plain = printed({});
  assert.match(plain, /^hotspan: Not here: "hotspan record -- npm test"/);
  const expected = plain.replaceAll(/(?<=["(]|  |1 |&& )hotspan (?!works)/g, 'npx hotspan ');
  assert.equal(printed({ npm_command: 'exec' }), expected);
  assert.equal(printed({ npm_command: 'test' }), plain);
});

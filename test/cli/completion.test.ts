import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { completions } from '../../cli/manual/completions.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

describe('completion in bash', { skip: !hasBash }, () => {
  const folder = temporaryProject({ 'run/x': '', 'app.js': '', 'my b.cpuprofile': '', 'my [r]un/x': '' });

  /** What is offered for the last word of a line, as bash splits it. */
  const offered = (...words: readonly string[]): readonly string[] => {
    const script = `${completions.bash()}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hotspan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync('bash', ['-c', script, 'bash', 'hotspan', ...words], { cwd: folder, encoding: 'utf8' });
    return text.split('\n').filter((line) => line !== '');
  };

  test('offers commands, and after help too', () => {
    assert.deepEqual(offered('rec'), ['record', 'recheck', 'recordings']);
    assert.deepEqual(offered('help', 'com'), ['compare', 'completion']);
  });

  test('offers the options of the command', () => {
    assert.deepEqual(offered('analyze', '--mar'), ['--markdown']);
    assert.deepEqual(offered('record', '-o', 'x', '--ke'), ['--keep']);
    assert.deepEqual(offered('record', '--ma'), ['--max-size']);
  });

  test('offers the values of an option, also behind an equals sign', () => {
    assert.deepEqual(offered('analyze', '--operations', ''), ['long', 'all']);
    assert.deepEqual(offered('analyze', '--operations', '=', 'a'), ['all']);
    assert.deepEqual(offered('analyze', '--threshold', ''), []);
    assert.deepEqual(offered('record', '--out', '').toSorted(), ['my [r]un', 'run']);
  });

  test('offers files for analyze, folders for recordings, shells for completion', () => {
    assert.deepEqual(offered('analyze', '').toSorted(), ['app.js', 'my [r]un', 'my b.cpuprofile', 'run']);
    assert.deepEqual(offered('recordings', 'r'), ['run']);
    assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish']);
    assert.deepEqual(offered('completion', 'bash', ''), []);
  });

  test('leaves the command that is to be run to itself', () => {
    assert.ok(offered('record', '--', 'bas').includes('bash'));
    assert.ok(offered('--', 'bas').includes('bash'));
    assert.deepEqual(offered('record', '-q', 'node', 'a'), ['app.js']);
    assert.deepEqual(offered('compare', '--base', 'main', '--', 'node', 'a'), ['app.js']);
  });
});

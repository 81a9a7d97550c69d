import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { reachedThroughShell } from '../../recorder/command-lines/shell-command.ts';

const show = 'printenv NODE_OPTIONS';
const set = 'NODE_OPTIONS=--a';

/** What a text does as it is, and rewritten; `reached`: as often as the recorder is to be in what it prints. */
const table: readonly (readonly [text: string, reached: number])[] = [
  [`${set} ${show}`, 1],
  [`NODE_OPTIONS='--a' ${show}`, 1],
  [`NODE_OPTIONS="--a --b" ${show}`, 1],
  [`NODE_OPTIONS= ${show}`, 1],
  [`A=1 B="x y" C='z;' ${set} ${show}`, 1],
  [`true && ${set} ${show}`, 1],
  [`false || ${set} ${show}`, 1],
  [`echo a | ${set} ${show}`, 1],
  [`echo a; ${set} ${show}; echo b`, 1],
  [`export ${set}; ${show}`, 1],
  [`export A=1 ${set} && ${show}`, 1],
  [`env ${set} ${show}`, 1],
  [`env A=1 ${set} ${show}`, 1],
  [`(exec env ${set} ${show})`, 1],
  [`if true; then ${set} ${show}; fi`, 1],
  [`if false; then :; else ${set} ${show}; fi`, 1],
  [`for x in 1 2; do ${set} ${show}; done`, 2],
  [`(${set} ${show})`, 1],
  [`{ ${set} ${show}; }`, 1],
  [`f() { ${set} ${show}; }; f`, 1],
  [`echo $(${set} ${show})`, 1],
  [`echo "$(${set} ${show})"`, 1],
  [`cd "$(pwd)" && ${set} ${show}`, 1],
  [`echo x > /dev/null; ${set} ${show} 2>&1`, 1],
  [`! ${set} ${show}`, 1],
  [`true && \\\n${set} ${show}`, 1],
  [`echo it\\'s; ${set} ${show}`, 1],
  [`echo "a \\" b"; ${set} ${show}`, 1],
  [`true # it's\n${set} ${show}`, 1],
  [`${set} ${show} <<E\nx; ${set}\nE`, 1],
  [`echo ${set}`, 0],
  [`echo do ${set}`, 0],
  [`echo then ${set}`, 0],
  [`echo a; echo else ${set}`, 0],
  [`echo "now; ${set}"`, 0],
  [`echo 'now && ${set}'`, 0],
  [`echo "it's; ${set}"`, 0],
  [`echo 'say "; ${set}'`, 0],
  [`echo "a \\"; ${set} \\""`, 0],
  [`echo a\\; ${set}`, 0],
  [`echo a\\\n${set}`, 0],
  [`echo "\\\\"; echo "; ${set}"`, 0],
  [`echo # ; ${set}`, 0],
  [`echo a#; echo ${set}`, 0],
  [`cat <<E\n${set} x\nE`, 0],
  [`cat <<'E'\nit's\n; ${set} x\nE`, 0],
  [`cat <<-E\n\t(${set} x)\n\tE`, 0],
  [`case ${set} in\n(${set}) echo one;;\n*) echo other;;\nesac`, 0],
  [`case x in a|${set}) echo one;; *) echo other;; esac`, 0],
  [`for x in ${set}; do echo $x; done`, 0],
  [`echo $(true) ${set}`, 0],
  [`echo "$(echo "a; ${set}")"`, 0],
  [`echo \`echo ";" ${set}\``, 0],
  [`set -- ${set}; echo "$1"`, 0],
  [`exec ${set} x`, 0],
  [`MY_${set} printenv MY_NODE_OPTIONS`, 0],
  [`echo $((1 << 2)); echo ${set}`, 0],
  [`echo "\${X:-; ${set}}"`, 0],
  [`echo > /dev/null ${set}; echo done`, 0],
  [`sh -c 'echo "; ${set}"'`, 0],
  [`${set}; echo "\${#NODE_OPTIONS}"`, 0],
  [`NODE_OPTIONS=~ ${show}`, 0],
  [`echo a;; ${set} ${show}`, 0],
  [`printf '%s\\n' "a\n${set}"`, 0],
];

/** Texts that only bash understands. */
const ofBash: typeof table = [
  [`{ time ${set} ${show}; } 2> /dev/null`, 1],
  [`{ time -p -- ${set} ${show}; } 2> /dev/null`, 1],
  [`{ echo 1 | select x in a; do ${set} ${show}; break; done; } 2> /dev/null`, 1],
  [`[[ a && ${set} == ${set} ]] && echo yes`, 0],
  [`{ time [[ a && ${set} == ${set} ]]; } 2> /dev/null && echo yes`, 0],
  [`{ time -p -- [[ a && ${set} == ${set} ]]; } 2> /dev/null && echo yes`, 0],
  [`function f [[ a && ${set} == ${set} ]]; f && echo yes`, 0],
  [`coproc [[ a && ${set} == ${set} ]]; wait $!; echo $?`, 0],
  [`declare a=() ${set}; declare -p NODE_OPTIONS`, 0],
  [`export -n ${set}; declare -p NODE_OPTIONS`, 0],
  [`{ echo a &> /dev/stdout ${set}; } | cat`, 0],
  [`NODE_OPTIONS=HOME; HOME=/h; echo "\${!NODE_OPTIONS}"`, 0],
  [`echo $[0 || NODE_OPTIONS=1]`, 0],
  [`echo "$[0 || NODE_OPTIONS=1]"`, 0],
  [`[[ "x;NODE_OPTIONS=--a" =~ (;|(${set})) ]] && echo yes`, 0],
  [`[[ a =~ (a|${set}) ]] && echo "\${BASH_REMATCH[0]}"`, 0],
  [`a=(${set} b); echo "\${a[0]}"`, 0],
  [`echo $'it\\'s; ${set} x'`, 0],
  [`cat <<< "; ${set}"`, 0],
  [`((NODE_OPTIONS=1)); echo $?`, 0],
];

for (const shell of ['sh', 'bash', 'dash'])
  test(`a text that is rewritten has the same effects (${shell})`, { skip: !isThere(shell) }, () => {
    for (const [text, reached] of [...table, ...(shell === 'bash' ? ofBash : [])]) {
      const words = [shell, '-c', text];
      const rewritten = effects(reachedThroughShell(words, '/r.cjs') ?? words);
      assert.equal(rewritten.split(recorder).length - 1, reached, text);
      assert.equal(rewritten.replaceAll(recorder, ''), effects(words), text);
    }
  });

test('only the text behind the options is one, and only with -c among them', () => {
  const place = (...options: readonly string[]): number =>
    reachedThroughShell(['bash', ...options], '/r.cjs')?.findIndex((word) => word.includes('/r.cjs')) ?? -1;
  const text = `${set} x`;
  assert.deepEqual(
    [
      place('-c', text),
      place('-e', '-c', text),
      place('-c', '-e', text),
      place('-o', 'pipefail', '-c', text),
      place('-eo', 'pipefail', '-c', text),
      place('--norc', '--rcfile', 'c', '-c', '--', text),
      place('-c', 'echo', text),
      place('script.sh', '-c', text),
      place('--', '-c', text),
      place('-o', '-c', text),
      place('-oautocd', 'script.sh', 'x', text),
      place('-oautocd', text),
    ],
    [2, 3, 3, 4, 4, 6, -1, -1, -1, -1, -1, -1],
  );
});

const recorder = '--require /r.cjs ';

function effects([program = '', ...args]: readonly string[]): string {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH },
    // Where it is a socket, bash reads the person's `.bashrc`.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return [status, stdout, stderr].join('\n');
}

function isThere(shell: string): boolean {
  return spawnSync(shell, ['-c', ':']).status === 0;
}

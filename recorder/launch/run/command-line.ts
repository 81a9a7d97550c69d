import path from 'node:path';

/** True for `node -e TEXT`, `-p`, `--eval`, `--print`: the program is the text itself. */
export function isEvaluated(command: readonly string[]): boolean {
  const [program = '', ...rest] = command;
  if (!/^node(js)?(\.exe)?$/i.test(path.basename(program))) return false;
  const options = rest.slice(0, rest.findIndex((argument) => !argument.startsWith('-')) >>> 0);
  return options.some((option) => /^(-p?e|-p|--eval|--print)(=|$)/.test(option));
}

/**
 * Whether the run collects coverage, by the command's own words or Node's variable. Its counters in the code make the
 * code look hotter.
 */
export function hasCoverage(command: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (env['NODE_V8_COVERAGE'] !== undefined) return true;
  return command.some((word) =>
    /(^|[/\\])(c8|nyc)(\.c?js)?$|^--coverage(=true|\.enabled(=true)?)?$|^--experimental-test-coverage$/.test(word),
  );
}

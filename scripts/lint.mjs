// `npm run lint`, `npm run lint -- oxlint`: static checks. Runs all of them even if one fails.
import { ensureInstalled, runTool } from './setup.mjs';

const checks = {
  oxlint: ['--deny-warnings', '--report-unused-disable-directives'],
  oxfmt: ['--check', '.'],
  knip: ['--no-progress', '--treat-config-hints-as-errors'],
};

ensureInstalled();
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(checks);
const failed = wanted.filter((tool) => runTool(tool, checks[tool] ?? ['--unknown-check']) !== 0);
console.log(failed.length === 0 ? `${wanted.join(', ')}: no findings.` : `Findings of ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

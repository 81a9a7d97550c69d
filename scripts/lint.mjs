// `npm run lint`: all checks of the sources that run nothing. Each runs even when one before it failed.
import { runTool } from './tools.mjs';
import { ensureInstalled } from './setup.mjs';

ensureInstalled();
const checks = {
  oxlint: ['--deny-warnings', '--report-unused-disable-directives'],
  oxfmt: ['--check', '.'],
  knip: ['--no-progress'],
};
const failed = Object.entries(checks).filter(([tool, args]) => runTool(tool, args) !== 0);
console.log(failed.length === 0 ? 'No findings.' : `Findings of ${failed.map(([tool]) => tool).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

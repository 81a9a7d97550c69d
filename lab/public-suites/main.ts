// `npm run suites -- FOLDER [--only express] [--node 24] [--times 5]`: the tests of public projects, each so many times
// as they are and under `hotspan record`, in turn; prints a table, and what a person should look at on stderr. FOLDER
// holds a checkout of each project at its version, with its packages installed; what is not there is said and left out.
// Nothing of theirs is part of Hotspan.
import { parseArgs } from 'node:util';
import { nodeVersions } from '../../test/helpers/node-versions.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { checkoutFault } from './checkout.ts';
import { publicSuites } from './public-suite.ts';
import { suiteRow, suiteTableHead, troublesOf } from './suite-text.ts';
import { trySuite } from './try-suite.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    node: { type: 'string', default: '24' },
    times: { type: 'string', default: '5' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1)); // Ends what runs, too.
const folder = positionals[0] ?? projectFile('.cache/suites');
const node = nodeVersions().find(({ version }) => version.startsWith(`${values.node}.`));
if (node === undefined) throw new Error(`There is no Node ${values.node} here: choose among 20, 22, 24 and 26.`);
const chosen = publicSuites.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
console.log(`Node ${node.version}, ${new Date().toISOString().slice(0, 10)}\n\n${suiteTableHead}`);
const troubles: string[] = [];
for (const suite of chosen) {
  const fault = checkoutFault(suite, folder);
  const trial = fault === null ? await trySuite(suite, folder, node, Number(values.times)) : null;
  if (trial !== null) console.log(suiteRow(trial));
  const said = trial === null ? [fault] : troublesOf(trial);
  for (const trouble of said) console.error(trouble);
  troubles.push(...said.filter((one) => one !== null));
}
process.exitCode = troubles.length === 0 && chosen.length > 0 ? 0 : 1;

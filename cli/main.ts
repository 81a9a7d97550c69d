import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { type Invocation, parseArguments } from './arguments.ts';
import { analyzeCommand } from './commands/analyze.ts';
import { type Ending, recordCommand } from './commands/record.ts';
import { helpTexts } from './help.ts';
import { outputOf, type Terminal } from './terminal.ts';

const terminal: Terminal = { out: outputOf(process.stdout, process.env), err: outputOf(process.stderr, process.env) };

// `hotspan analyze … | head`: who reads no further has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));

void run(parseArguments(process.argv.slice(2))).then(end);

async function run(invocation: Invocation): Promise<Ending> {
  const cwd = process.cwd();
  switch (invocation.type) {
    case 'help':
      terminal.out.write(helpTexts[invocation.topic]);
      return { type: 'code', code: 0 };
    case 'version':
      terminal.out.write(`${manifest.version}\n`);
      return { type: 'code', code: 0 };
    case 'invalid':
      terminal.err.write(`hotspan: ${invocation.message}\n`);
      return { type: 'code', code: 2 };
    case 'analyze':
      return { type: 'code', code: await analyzeCommand(invocation.options, terminal, cwd) };
    case 'record':
      break;
  }
  return recordCommand(invocation.options, terminal.err, {
    cwd,
    env: process.env,
    recorderFile: path.join(__dirname, 'recorder.cjs'),
    version: manifest.version,
  });
}

/** Output may still be on its way: the process ends by itself, or by the signal that ended the command. */
function end(ending: Ending): void {
  if (ending.type === 'code') process.exitCode = ending.code;
  else process.kill(process.pid, ending.signal);
}

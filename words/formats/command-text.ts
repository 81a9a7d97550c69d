/** A command as people call it: `npm test` for `npm run test`, as every list of targets has it. */
export function commandText([program = '', ...args]: readonly string[]): string {
  const [verb, script = ''] = args;
  const isShort = verb === 'run' && /^(npm|pnpm|yarn)$/.test(program) && /^(test|start)$/.test(script);
  return [program, ...(isShort ? args.slice(1) : args)].join(' ');
}

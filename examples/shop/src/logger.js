/** Structured logs, one JSON object a line, each with the place in the code that it came from. */
export function createLogger(output) {
  const write = (level, message, fields) => {
    const entry = { level, message, ...fields, at: callSite(), time: new Date().toISOString() };
    output.write(`${JSON.stringify(entry)}\n`);
  };
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
  };
}

function callSite() {
  const [, , , , caller = ''] = new Error().stack.split('\n');
  return caller.trim().replace(/^at /, '');
}

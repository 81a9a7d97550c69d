// A reporter for node:test: a test file's counts and failures, as one line of JSON; nothing if the file does not end.

export default async function* countReporter(events) {
  const open = [];
  const failures = [];
  const counts = {}; // Before Node 22.12 there is no summary, only its texts.
  for await (const { type, data } of events) {
    if (type === 'test:start') open[data.nesting] = data.name;
    // A group that failed because of its tests has no failure of its own.
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed')
      failures.push({ name: open.slice(0, data.nesting + 1).join(' › '), line: data.line, reason: reasonOf(data) });
    if (type === 'test:summary') Object.assign(counts, data.counts);
    const [, name, count] = (type === 'test:diagnostic' && /^(\w+) (\d+)$/.exec(data.message)) || [];
    if (name !== undefined) counts[{ pass: 'passed', fail: 'failed' }[name] ?? name] ??= Number(count);
  }
  if (counts.passed !== undefined) yield JSON.stringify({ ...counts, failures });
}

function reasonOf({ details: { error } }) {
  const cause = error?.cause ?? error;
  return String(cause?.message ?? cause ?? 'failed without an error');
}

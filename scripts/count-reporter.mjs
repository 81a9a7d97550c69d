// A reporter for node:test: a test file's counts and failures, as one line of JSON; nothing if the file does not end.

export default async function* countReporter(events) {
  const open = [];
  const failures = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') open[data.nesting] = data.name;
    // A group that failed because of its tests has no failure of its own.
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed')
      failures.push({ name: open.slice(0, data.nesting + 1).join(' › '), line: data.line, reason: reasonOf(data) });
    if (type === 'test:summary') yield JSON.stringify({ ...data.counts, failures });
  }
}

function reasonOf({ details: { error } }) {
  const cause = error?.cause ?? error;
  return String(cause?.message ?? cause ?? 'failed without an error');
}

// A reporter for node:test: a test file's counts and its failures, as one line of JSON. Writes nothing when the file does
// not reach its end.

export default async function* countReporter(events) {
  const open = [];
  const failures = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') open[data.nesting] = data.name;
    // A group that failed because of a test in it has nothing of its own to say.
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed')
      failures.push({ name: open.slice(0, data.nesting + 1).join(' › '), line: data.line, reason: reasonOf(data) });
    if (type === 'test:summary') yield JSON.stringify({ ...data.counts, failures });
  }
}

function reasonOf({ details: { error } }) {
  const cause = error?.cause ?? error;
  return String(cause?.message ?? cause ?? 'failed without an error');
}

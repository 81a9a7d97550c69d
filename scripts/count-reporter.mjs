// A reporter for node:test: the counts of a test file, and the names of what failed first, as one line of JSON. Nothing,
// when it does not reach its end.

export default async function* countReporter(events) {
  const open = [];
  let firstFailed = null;
  for await (const { type, data } of events) {
    if (type === 'test:start') open[data.nesting] = data.name;
    // A group that failed because of a test in it comes after that test.
    if (type === 'test:fail') firstFailed ??= open.slice(0, data.nesting + 1);
    if (type === 'test:summary') yield JSON.stringify({ ...data.counts, firstFailed });
  }
}

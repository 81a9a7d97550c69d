// A reporter for node:test: the counts of a test file as one line of JSON. Nothing, when it does not reach its end.

export default async function* countReporter(events) {
  for await (const { type, data } of events) if (type === 'test:summary') yield JSON.stringify(data.counts);
}

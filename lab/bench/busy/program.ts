/** Functions that only count, with the ms that each takes, about. */
const counting: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ loop12: 12, loop20: 20, loop40: 40, loop80: 80, loop200: 200, loop320: 320 },
    ...{ firstShare: 25, secondShare: 60, thirdShare: 15, fourthShare: 90 },
    ...{ pieceOf1: 1, pieceOf2: 2, pieceOf3: 3, chainStep: 4 },
    ...{ besideRead: 30, besideSleep: 30, inWorker: 40 },
  }),
);

/**
 * A program of functions of different shapes. Each is measured by a clock of the program's own, which stands while its
 * thread waits for a processor. At exit the program writes `truth.json` in its working folder: by name, an entry for
 * each call, with its operation and how many ms it held the loop.
 * All work is counted and never timed, so that it is the same work on a busy machine. It reads `pipe`, a FIFO.
 */
export const program = String.raw`
const { openSync, readFileSync, readSync, writeFileSync } = require('node:fs');
const { execSync, spawn } = require('node:child_process');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

const counts = openSync('/proc/thread-self/schedstat', 'r');
const bytes = Buffer.alloc(96);
const truth = {};
const state = { operation: isMainThread ? 0 : 1000 };

function waitedSoFar() {
  const length = readSync(counts, bytes, 0, bytes.length, 0);
  return Number(bytes.latin1Slice(0, length).split(' ')[1]) / 1e6;
}

const now = () => Number(process.hrtime.bigint()) / 1e6;

/** Reads again if the thread has lost its processor in between. */
function readClock() {
  for (let attempt = 0; ; attempt++) {
    const before = now();
    const waited = waitedSoFar();
    const after = now();
    if (after - before < 0.1 || attempt === 20) return { before, waited, after };
  }
}

function note(name, operation, start, end) {
  const ms = end.before - start.after - (end.waited - start.waited);
  (truth[name] ??= []).push({ operation, ms });
}

/** Counts only calls that are in no other call of the same name. */
function measured(work, name = work.name) {
  const start = readClock();
  work();
  note(name, state.operation, start, readClock());
}

/** Counts only what is done before the next operation. */
async function measuredToItsEnd(work) {
  const { operation } = state;
  const start = readClock();
  await work();
  note(work.name, operation, start, readClock());
}

// Steps that take about a ms.
const ms = 190_000;
const kept = { sum: 0 };

${[...counting].map(countingFunction).join('\n')}
const inMain = [${[...counting.keys()].filter((name) => name !== 'inWorker').join(', ')}];

const catalogue = Array.from({ length: 3000 }, (_, id) => ({ id, name: 'article ' + ((id * 7919) % 3000), tags: ['a', String(id)] }));
const text = 'On 2024-05-17 somebody wrote to ann@example.com about 17 articles. '.repeat(500);

function cloneJson() {
  for (let clone = 0; clone < 24; clone++) kept.sum += JSON.parse(JSON.stringify(catalogue)).length;
}

function matchTexts() {
  for (let round = 0; round < 80; round++) {
    kept.sum += text.match(/\b\d{4}-\d{2}-\d{2}\b/g).length + text.replace(/[aeiou]+/g, '-').length;
    kept.sum += text.split(/\s+/).length;
  }
}

function sortItems() {
  for (let round = 0; round < 50; round++) kept.sum += [...catalogue].sort((a, b) => (a.name < b.name ? -1 : 1)).length;
}

function recurse(depth = 150) {
  let sum = 0;
  for (let step = 0; step < ms / 5; step++) sum = Math.sqrt(sum + step);
  kept.sum += sum;
  if (depth > 0) recurse(depth - 1);
  return depth;
}

function collectGarbage() {
  for (const length of lengthsOfList()) kept.sum += length;
}

/**
 * Keeps V8 from inlining a function: in samples at the entry of a built-in, V8 loses the innermost inlined function.
 */
function* lengthsOfList() {
  const list = [];
  for (let round = 0; round < 1000; round++) {
    for (let object = 0; object < 1000; object++) list.push({ text: 'item ' + object, list: [object] });
    if (list.length > 100_000) list.length = 0;
    yield list.length;
  }
}

function callMany() {
  for (let call = 0; call < 30 * 250; call++) calledOften(call);
}

function calledOften(seed) {
  let sum = seed;
  for (let step = 0; step < ms / 250; step++) sum = Math.sqrt(sum + step);
  kept.sum += sum;
}

function sharedByTwo() {
  for (const share of [firstShare, secondShare]) measured(share);
}

function sharedByFour() {
  for (const share of [fourthShare, firstShare, thirdShare, secondShare]) measured(share);
}

function inPieces() {
  for (let round = 0; round < 12; round++) for (const piece of [pieceOf1, pieceOf2, pieceOf3]) measured(piece);
}

async function chain() {
  for (let step = 0; step < 8; step++) {
    measured(chainStep);
    await null;
  }
}

function readPipe() {
  kept.sum += readFileSync('pipe').length;
}

function runSleep() {
  execSync('sleep 0.04');
}

function waitForNobody() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
}

const alone = (work) => () => measured(work);

/** How often they run, and the operations one after the other. */
const plan = [
  [6, alone(loop12)], [5, alone(loop20)], [4, alone(loop40)], [3, alone(loop80)], [1, alone(loop200)], [1, alone(loop320)],
  [5, alone(cloneJson)], [5, alone(matchTexts)], [5, alone(sortItems)], [5, alone(recurse)], [3, alone(collectGarbage)],
  [5, alone(callMany)],
  [2, alone(sharedByTwo)], [2, alone(sharedByFour)],
  [5, alone(inPieces)],
  [5, () => void measuredToItsEnd(chain)],
  [2, () => spawn('sh', ['-c', 'sleep 0.06; echo text > pipe']), () => [besideRead, readPipe].forEach((work) => measured(work))],
  [3, () => [runSleep, besideSleep].forEach((work) => measured(work))],
  [3, alone(waitForNobody)],
  [1, () => new Worker(__filename).on('message', (fromWorker) => Object.assign(truth, fromWorker))],
];

/** Calls of the same function lie far apart. */
function spread() {
  const rounds = Math.max(...plan.map(([times]) => times));
  return Array.from({ length: rounds }, (_, round) =>
    plan.flatMap(([times, ...steps]) => (round < times ? steps : [])),
  ).flat();
}

function run(steps, atEnd) {
  const step = steps.shift();
  if (step === undefined) return atEnd();
  state.operation += 1;
  step();
  setTimeout(run, 5, steps, atEnd);
}

/** Where code is not optimized, each step makes garbage. */
function warmUp(work, times, steps) {
  const again = () => {
    for (let time = 0; time < times; time++) work(steps);
  };
  measured(again, work.name);
}

for (let reading = 0; reading < 2000; reading++) readClock();
if (isMainThread) {
  for (const count of inMain) warmUp(count, 200, 2000);
  warmUp(recurse, 20, 0);
  setTimeout(run, 50, spread(), () => undefined);
  process.on('exit', () => writeFileSync('truth.json', JSON.stringify(truth)));
} else {
  warmUp(inWorker, 200, 2000);
  const atEnd = () => parentPort.postMessage(truth);
  setTimeout(run, 50, [inWorker, inWorker, inWorker].map(alone), atEnd);
}
`;

/**
 * Functions whose time is all their own part: they call nothing of the program that could take any of it, they do not
 * call themselves, and they are called in one way only.
 */
export const withoutCallees: ReadonlySet<string> = new Set([
  ...[...counting.keys()].filter((name) => name !== 'chainStep'),
  ...['cloneJson', 'matchTexts', 'readPipe', 'runSleep', 'waitForNobody'],
]);

function countingFunction([name, time]: readonly [string, number]): string {
  return `
function ${name}(steps = ${time} * ms) {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = Math.sqrt(sum + step);
  kept.sum += sum;
}`;
}

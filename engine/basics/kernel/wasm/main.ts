/**
 * The loops of the analysis that run millions of times, in AssemblyScript: it has TypeScript's syntax, and
 * `scripts/build-wasm.mjs` compiles it to WebAssembly, and to JavaScript for where there is no WebAssembly.
 */
export * from './memory';
export { addSamples, beginOperation, beginTree, flagsOfPlaces, sumUp, weightOfBare } from './weigh';
export { countPresences, countSamples, numberOfLong, numberOfPresent, numberOfWorst, setLimits } from './presences';

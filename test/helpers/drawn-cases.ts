import fc from 'fast-check';

// The same cases in each run: a red test is about the change at hand. `SEED=7 npm test` draws others, `npm run nightly` new ones.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121) });

export { fc };

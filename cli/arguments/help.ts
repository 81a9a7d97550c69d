import type { HelpTopic } from './arguments.ts';

export const helpTexts: Readonly<Record<HelpTopic, string>> = {
  hotspan: `Finds the lines of a Node.js program that block the event loop.

  hotspan record -- npm test      runs a command and shows what blocked
  hotspan analyze PATH            shows a recording, or any .cpuprofile file
  hotspan compare --base REF -- npm test   says what a change made faster or slower
  hotspan check -- npm test       fails where a function is over its budget
  hotspan baseline, hotspan recheck FUNCTION   says whether a fix of one function has helped
  hotspan recordings              lists what was recorded here, with sizes
  hotspan histogram LOG PATH      says whether a recording is like production

  hotspan COMMAND --help          all options of a command
  hotspan --version

Exit codes: 0 done · 1 over the limit of --fail-over · 2 unusable input or arguments
            3 only an estimate is over that limit, or none of your code was seen
"record" exits as the command did; 127 when it cannot be started.
`,
  record: `hotspan record [options] -- COMMAND …

Runs the command, with its own input, output and environment, and records every Node.js process of it.
At the end the functions that blocked the event loop are listed on stderr.

  -o, --out DIR       where the recording goes (else node_modules/.cache/hotspan/ or .hotspan/)
      --interval µs   time between two samples, from 50 to 10000 (1000)
      --max-size MB   at so many MB recording stops, and the command goes on (2000; 0: no limit)
      --keep MB       afterwards the oldest recordings in the default folder go, until all have so many MB
      --tiers         how far V8 has optimized each function, and exact lines, instead of a profile: V8's own log of it
  -q, --quiet         prints nothing but what was lost
      --note TEXT     said before the command starts, and kept in the recording

A process that runs already, until Ctrl+C:
      --attach ADDRESS    its inspector (9229, host:9229, ws://…), or pid:123, which is asked to open one

The command is a server:
      --after-ready URL   when this answers, --load begins; afterwards the command is stopped. All of it happens twice:
                          first without the recorder, so that you see what recording costs
      --load "…"          the requests, in autocannon's words: -c connections (10), -a amount (1000) or -d seconds,
                          -m METHOD, -H "Name: value", -b BODY, and a path: --load "-c 20 -a 5000 /orders"
`,
  analyze: `hotspan analyze PATH … [options]

PATH is a recording folder, a .cpuprofile file (also gzipped), a trace of Chrome's Performance panel, or a folder: of
recordings, the newest; else all .cpuprofile files in it or, where there are none, in the folders below, as one recording.

      --json             everything, as JSON (docs/report.schema.json); of the operations the long ones,
                         with --operations all the shorter ones, too
      --markdown         for the summary of a CI job
      --threshold ms     what counts as blocking (10)
      --all              also packages, Node.js and what only passes calls on
      --root DIR         the project's folder: what is your own code (else where it was recorded)
      --no-source-maps   places in the JavaScript that ran
      --fail-over ms     exit 1 when a function of your application blocks for longer, 3 when that is not certain
`,
  compare: `hotspan compare --base REF [options] -- COMMAND …
hotspan compare BEFORE… --head AFTER… [options]

The first runs the command on a commit (in a git work tree of its own) and on your files as they are, in turn, three times
each. What seems to have changed is confirmed by three more pairs, of the tests alone that reach it.
The second compares recordings of "hotspan record", of one command on one Node.js, three or more of each side.
A function is found again where it was moved or renamed.

      --setup COMMAND    prepares the base, in a shell: --setup "npm run build"
      --pairs N          pairs of runs (3)
      --json             everything, as JSON (docs/comparison.schema.json)
      --markdown         for a pull request
      --all              also what has not changed

Exit codes: 0 nothing slower · 1 something is slower or new · 2 cannot be compared · 3 too noisy to say, or stopped
`,
  recheck: `hotspan recheck FUNCTION [options] [-- COMMAND …]

Says whether one function became faster or slower: runs the tests that reach it, before and after your change in turn,
3, 5 or 8 times each, until it is clear. FUNCTION is src/cart.ts:12, or a name. "Before" is the baseline, if there is one.

      --base REF         a commit instead of the baseline
      --baseline NAME    another baseline than the newest
      --recording DIR    the recording that knows the command and the tests (else that of the baseline, or the newest)
      --setup COMMAND    prepares the base, in a shell
      --json             as JSON (docs/comparison.schema.json)

Exit codes: 0 not slower · 1 slower · 2 cannot be run · 3 too noisy to say
`,
  baseline: `hotspan baseline [-- COMMAND …]

Runs the command (else that of the last recording) three times, and keeps your files as they are now with git, so that
"hotspan recheck" can run both versions in turn. Your branches, index and files stay as they are.

      --name NAME        a name for it (main)
      --recording DIR    the recording that knows the command (else the newest)
      --list             lists the baselines, with sizes
      --delete NAME      deletes one; nothing else ever does
`,
  check: `hotspan check [options] [-- COMMAND …]
hotspan check [options] RECORDING …

Judges the command (else that of the last recording) by the budget of this folder, hotspan.budget.json. What is over its
budget is run twice more, and fails only if it is over it each time. Recordings are judged as they are: nothing is run.

      --update           writes the budget: twice what three runs measure
      --budget FILE      another budget
      --json, --markdown

Exit codes: 0 within · 1 over · 2 nothing to judge, or no budget · 3 not all could be judged
`,
  recordings: `hotspan recordings [DIR]

Lists the recordings in a folder (else in node_modules/.cache/hotspan/ and .hotspan/): when, how large, where, and what
was run. "hotspan record --keep MB" deletes the oldest after a run.
`,
  histogram: `hotspan histogram LOG RECORDING

LOG is what a program has written in production, started with

  HOTSPAN_MODE=histogram HOTSPAN_LOG=turns.log node --require hotspan/recorder app.js

(docs/production.md: what it costs, and what it tells). RECORDING is of "hotspan record", of your tests for example.
Both are compared by the time that the event loop spends in turns of each length.
`,
};

import type { CallReason, LineReason } from '../engine/judge/lines/line-shares.ts';

/** Why the time of a line is not certain to be its own, in a few words that have no full stop at their end. */
export function lineReasonText(reason: LineReason): string {
  switch (reason.type) {
    case 'severalLines':
      return 'the built file has several lines of the source in one';
    case 'noMap':
      return 'no source map tells the line for sure';
    case 'noFile':
      return 'a line of what the bundler made: build with source maps';
    case 'fileGone':
      return 'the file was deleted before the program had ended, and no source map tells what it was made of';
    case 'functionNotThere':
      return 'the source has no function there: it may be of another build, or the function a helper of the compiler';
    case 'splitBySamples':
      return `split over ${reason.lines} lines by samples`;
    case 'splitAsElsewhere':
      return 'its line was not sampled here: split as in its other calls';
    case 'splitFromRegExp':
      return 'split between a regular expression and the rest by samples';
    case 'regExpOnLines':
      return `${reason.lines === 1 ? 'this line and others may' : `${reason.lines} lines`} use regular expressions`;
    case 'mayBeInlined':
      return `some of it may be of ${reason.callee}, which it calls`;
    case 'callOnLines':
    case 'unnamedCallOnLines':
    case 'calledByAnotherName':
      return callText(reason);
    case 'wholeFunction':
      return 'the whole function: no one line is known to have its time';
  }
}

function callText({ type, callee, lines, withoutPositions }: CallReason): string {
  const texts = {
    callOnLines: `${callee} may be called on ${lines} lines`,
    unnamedCallOnLines: `a function without a name may be called on ${lines} lines`,
    calledByAnotherName: `${callee} has another name where it is called`,
  };
  return `${texts[type]}${withoutPositions ? sparkplugText : ''}`;
}

const sparkplugText = ", and V8's log has no positions of the code that ran (Sparkplug, before Node.js 26)";

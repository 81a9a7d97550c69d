/** Every id of package.json; `test/contract/manifest.test.ts` compares both. */

export const commands = {
  profileTests: 'hotspan.profileTests',
  profileFile: 'hotspan.profileFile',
  profileScript: 'hotspan.profileScript',
  profileApp: 'hotspan.profileApp',
  openApp: 'hotspan.openApp',
  sendLoad: 'hotspan.sendLoad',
  stopAndShow: 'hotspan.stopAndShow',
  attachToProcess: 'hotspan.attachToProcess',
  profileDebugSession: 'hotspan.profileDebugSession',
  profileAgain: 'hotspan.profileAgain',
  recordTiers: 'hotspan.recordTiers',
  setBaseline: 'hotspan.setBaseline',
  compareWith: 'hotspan.compareWith',
  compareAgain: 'hotspan.compareAgain',
  openComparisonFlamegraph: 'hotspan.openComparisonFlamegraph',
  copyComparison: 'hotspan.copyComparison',
  clearComparison: 'hotspan.clearComparison',
  openProfile: 'hotspan.openProfile',
  openRecording: 'hotspan.openRecording',
  openFlamegraph: 'hotspan.openFlamegraph',
  copyFlamegraph: 'hotspan.copyFlamegraph',
  saveFlamegraphSvg: 'hotspan.saveFlamegraphSvg',
  saveFlamegraphPng: 'hotspan.saveFlamegraphPng',
  nextHotspot: 'hotspan.nextHotspot',
  previousHotspot: 'hotspan.previousHotspot',
  toggleAnnotations: 'hotspan.toggleAnnotations',
  toggleFileAnnotations: 'hotspan.toggleFileAnnotations',
  toggleFolderAnnotations: 'hotspan.toggleFolderAnnotations',
  clear: 'hotspan.clear',
  forgetResult: 'hotspan.forgetResult',
  recheck: 'hotspan.recheck',
  keepAsBaseline: 'hotspan.keepAsBaseline',
  undoChange: 'hotspan.undoChange',
  compareGraphs: 'hotspan.compareGraphs',
  openWorst: 'hotspan.openWorst',
  explain: 'hotspan.explain',
  nextFinding: 'hotspan.nextFinding',
  showLog: 'hotspan.showLog',
  lowerThreshold: 'hotspan.lowerThreshold',
  toggleMetric: 'hotspan.toggleMetric',
  groupHotspots: 'hotspan.groupHotspots',
  sortHotspots: 'hotspan.sortHotspots',
} as const;

/** Commands that only a lens, a hover, a tree item or the Test Explorer calls. */
export const internalCommands = {
  openFunction: 'hotspan.openFunction',
  openOperation: 'hotspan.openOperation',
  openCulprit: 'hotspan.openCulprit',
  openHotspot: 'hotspan.openHotspot',
  openSource: 'hotspan.openSource',
  openRemedy: 'hotspan.openRemedy',
  chooseFolder: 'hotspan.chooseFolder',
  moreActions: 'hotspan.moreActions',
  stopRecheck: 'hotspan.stopRecheck',
  makeSure: 'hotspan.makeSure',
  recheckTest: 'hotspan.recheckTest',
  openCompared: 'hotspan.openCompared',
  openDiffFlamegraph: 'hotspan.openDiffFlamegraph',
  profileTest: 'hotspan.profileTest',
  profileResult: 'hotspan.profileResult',
  goOnFromLastRun: 'hotspan.goOnFromLastRun',
} as const;

export const settings = {
  threshold: 'hotspan.analysis.threshold',
  testPatterns: 'hotspan.analysis.testPatterns',
  pathMappings: 'hotspan.pathMappings',
  annotations: 'hotspan.annotations.enabled',
  codeLens: 'hotspan.annotations.codeLens',
  testLenses: 'hotspan.annotations.testLenses',
  metric: 'hotspan.annotations.metric',
  loading: 'hotspan.annotations.loading',
  recheckOnSave: 'hotspan.recheck.onSave',
  diagnosticsThreshold: 'hotspan.diagnostics.threshold',
  recordingsKeep: 'hotspan.recordings.keep',
  recordingsMaxSize: 'hotspan.recordings.maxSize',
  recordingsTotalSize: 'hotspan.recordings.totalSize',
  interval: 'hotspan.recorder.interval',
  nodePath: 'hotspan.recorder.nodePath',
  tiersRecord: 'hotspan.tiers.record',
} as const;

export const views = {
  container: 'hotspan',
  hotspots: 'hotspan.hotspots',
  operations: 'hotspan.operations',
  waits: 'hotspan.waits',
  comparison: 'hotspan.comparison',
} as const;

export const contextKeys = {
  /** A run or a profile has been analysed. */
  hasResult: 'hotspan.hasResult',
  /** At least one function is over the threshold. */
  hasHotspots: 'hotspan.hasHotspots',
  running: 'hotspan.running',
  /** A running command listens at an address to which requests can be sent. */
  serving: 'hotspan.serving',
  /** The last run has no result, and the editor says why. */
  hasLastRun: 'hotspan.hasLastRun',
  hasComparison: 'hotspan.hasComparison',
  /** A re-check has measured code as it is now. */
  hasRecheck: 'hotspan.hasRecheck',
  /** Set only so that VS Code answers after it has drawn the marks. */
  marksAreShown: 'hotspan.marksAreShown',
} as const;

/** Tools for agents in the editor, by their names in `agents/tools.ts`. Each waits until its job has ended. */
export const agentTools = {
  status: 'hotspan_status',
  findings: 'hotspan_findings',
  hotspots: 'hotspan_hotspots',
  explain: 'hotspan_explain',
  recheck: 'hotspan_recheck',
  compare: 'hotspan_compare',
  profile: 'hotspan_profile',
} as const;

/** For editors without such tools: the same tools as an MCP server. */
export const mcpProvider = 'hotspan.mcp';

/** Theme colours by duration class. `fast` appears only in totals, with the colour of `medium`. */
export const colors = {
  fast: 'hotspan.medium',
  medium: 'hotspan.medium',
  slow: 'hotspan.slow',
  verySlow: 'hotspan.verySlow',
  monster: 'hotspan.monster',
  background: 'hotspan.background',
} as const;

/** Theme colours of V8's tiers; the page has them as variables such as `--vscode-hotspan-turbofan`. */
export const tierColors = {
  ignition: 'hotspan.ignition',
  sparkplug: 'hotspan.sparkplug',
  maglev: 'hotspan.maglev',
  turbofan: 'hotspan.turbofan',
} as const;

/** Theme colours of a diff. */
export const changeColors = { slower: 'hotspan.slower', faster: 'hotspan.faster' } as const;

/** Scheme of the addresses of texts that ran before. */
export const textBeforeScheme = 'hotspan-before';

export const taskType = 'hotspan';
export const viewTypes = {
  flamegraph: 'hotspan.flamegraph',
  profile: 'hotspan.profile',
  gzippedProfile: 'hotspan.gzippedProfile',
} as const;
export const walkthrough = 'hotspan.start';

/** The pages of docs/remedies/, without `.md`. */
export const remedyPages = [
  'json-clone',
  'json',
  'key-derivation',
  'compression',
  'child-processes',
  'files',
  'twins',
  'bcryptjs',
  'crypto-in-javascript',
  'compression-in-javascript',
  'regular-expressions',
  'late-loading',
  'sorting',
  'growing-copies',
  'stacks',
] as const;

export type RemedyPage = (typeof remedyPages)[number];

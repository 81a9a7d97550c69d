/** Numbers for paths of functions, over all isolates: equal paths have equal numbers. Path 0 is the empty one. */
export interface PathTable {
  /** The functions of a path, outermost first. */
  readonly functionsOf: (path: number) => readonly number[];
}

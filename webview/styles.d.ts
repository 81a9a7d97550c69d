/** Style sheets are bundled into dist/flamegraph.css. */
declare module '*.css' {}

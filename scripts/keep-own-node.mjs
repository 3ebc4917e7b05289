/**
 * The development package with Node 22 (for tools that need it) puts its binary into node_modules/.bin as `node`, and npm
 * puts that folder first: every npm script would run on another Node than the one the native modules were built for.
 */
import { rmSync } from 'node:fs';

rmSync(new URL('../node_modules/.bin/node', import.meta.url), { force: true });

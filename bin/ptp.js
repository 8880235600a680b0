#!/usr/bin/env node
/** `ptp`, as npm links it. Checked in, unlike its build, so that there is something to say when the build is missing. */
import { existsSync } from 'node:fs';

const OLDEST = 20;
const program = new URL('../dist/ptp.js', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(`ptp needs Node ${OLDEST} or newer, but this is Node ${process.versions.node}`);
  process.exitCode = 1;
} else if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('ptp is not built: run "npm run prepare", which "npm ci" does unless --ignore-scripts is given');
  process.exitCode = 1;
}

#!/usr/bin/env node
import { run } from './src/run.js';

process.exitCode = run(process.argv.slice(2), console);

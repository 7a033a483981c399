#!/usr/bin/env node
// The command `hypha`: builds like `npm start` when that is needed, and runs what was built. Results go to stdout, so the build tells of itself on stderr.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const built = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('build.mjs', import.meta.url)), '--if-needed'],
  { stdio: ['ignore', 2, 2] },
);
if (built.status !== 0) process.exit(1);
createRequire(import.meta.url)('../dist/cli/hypha.js');

import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { loadBundle } from './bundle';

/*
 * Main program of a process that executes runs. V8 accepts the code cache of its bundle only under
 * the flags that the cache was made with. The limits of memory are in force since the process
 * began, and are flags again before the program starts a thread.
 */
const limits = process.execArgv.filter((flag) => /^--max-(?:old|semi)-space-size=/.test(flag));
for (const limit of limits) setFlagsFromString(limit.replace(/=.*/, '=0'));
const bundled = loadBundle(join(__dirname, 'bundle', 'run-child.js'));
for (const limit of limits) setFlagsFromString(limit);
// A build without bundling has no bundle.
if (bundled === null) require('./features/runs/execution/pool/run-child');

import './required-node';
// V8 accepts a code cache only under the flags it was created with, so they are set before it is
// created and used.
import './platform/heap-growth';
import { join } from 'node:path';
import { loadBundle } from './bundle';
import type * as Program from './serve';

/** Starts the service and runs it until it is stopped. Returns the exit code. */
export async function start(): Promise<number> {
  const bundled = loadBundle<typeof Program>(join(__dirname, 'bundle', 'serve.js'));
  // A build without bundling has no bundle.
  const { serve } = bundled ?? (await import('./serve.js'));
  return serve();
}

import './required-node';
import { join } from 'node:path';
import { loadBundle } from './bundle';
import type * as Program from './serve';

async function main(): Promise<number> {
  const bundled = loadBundle<typeof Program>(join(__dirname, 'bundle', 'serve.js'));
  // A build without bundling has no bundle.
  const { serve } = bundled ?? (await import('./serve.js'));
  return serve();
}

void main().then((code) => process.exit(code));

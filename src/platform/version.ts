import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Finds the nearest package.json above a folder: compiled code is one or two folders deeper than
 * its source.
 */
function nearestManifest(folder: string): unknown {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const parent = dirname(folder);
  return parent === folder ? null : nearestManifest(parent);
}

const manifest = nearestManifest(__dirname);

/** The version of this service, from its package.json. */
export const VERSION: string =
  manifest !== null && typeof manifest === 'object' && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';

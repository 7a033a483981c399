import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'));

/** The version of this service, from its package.json. */
export const VERSION: string =
  manifest !== null && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : '0.0.0';

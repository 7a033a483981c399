// `node scripts/small-files.mjs`: lists source files under 60 lines with exactly one importer. Most of them belong into their importer.
// Left out are the kinds of file that every feature has.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_LINES = 60;
const KINDS =
  /(?:^|\/)(?:index|[\w-]+\.(?:model|service|rest|stomp|graphql|types|policy|presenter|events|loader|schema))\.ts$/;
const root = fileURLToPath(new URL('..', import.meta.url));
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

const report = execFileSync(
  process.execPath,
  [
    cruiser,
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'src',
    'packages/embedded-mongo/src',
  ],
  { cwd: root, encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 },
);
const lineCount = (file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
const modules = JSON.parse(report).modules.filter(({ source }) =>
  /^(?:src|packages\/[^/]+\/src)\/.*\.ts$/.test(source),
);
const onlyImporters = modules.filter(({ dependents }) => dependents.length === 1);
const small = onlyImporters
  .filter(({ source }) => !KINDS.test(source))
  .map(({ source, dependents }) => ({ source, importer: dependents[0], lines: lineCount(source) }))
  .filter(({ lines }) => lines < MAX_LINES)
  .sort((a, b) => a.importer.localeCompare(b.importer));

for (const { source, importer, lines } of small) console.log(`${lines}\t${source}\t${importer}`);
console.log(
  `${modules.length} files; ${onlyImporters.length} with one importer, ${small.length} of them under ${MAX_LINES} lines`,
);

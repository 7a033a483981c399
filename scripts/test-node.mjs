// `npm run test:node -- 24`: the suite under another Node. Further arguments go to the suite.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [version = '', ...rest] = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('test.mjs', import.meta.url)), `--node=${version}`, ...rest],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);

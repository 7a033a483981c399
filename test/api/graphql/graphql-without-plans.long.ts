/** @jest-environment node */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { longDescribe } from '../../support/long';
import { WITHOUT_PLANS } from '../../support/graphql/without-plans';

process.env[WITHOUT_PLANS] = '1';
const FOLDERS = [__dirname, join(__dirname, '../../ws')];
// Apart from those that need a process of their own.
const TESTS = /^(graphql-(?!schema|links|ids)|socket|run-events|shared|lists-changed).*\.test\.ts$/;

// The same tests as with compiled plans: both executors behave alike.
longDescribe.each(
  FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => TESTS.test(file))
      .map((file) => [file, join(folder, file)] as const),
  ),
)('without compiled plans: %s', (_file, path) => {
  require(path);
});

import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { PROGRAMS } from '../support/service/programs';

const DIST = PROGRAMS.input.replace(/input-process\.js$/, '');

it('the modules of the input process load no store, keys or server', () => {
  const script = `require(${JSON.stringify(`${DIST}input-tasks.js`)}); process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;
  const loaded = (
    JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as string[]
  ).map((file) => relative(DIST, file));
  expect(loaded).toContain('features/invokers/invoker-tasks.js');
  expect(
    loaded.filter((file) =>
      /^(?:config|node_modules\/@hypha\/embedded-mongo|platform\/(?:store(?!\/stored-bytes)|crypto|http|graphql|ws|control|access))\/|node_modules\/(?:mongoose|mongodb|lmdb|express|graphql)\//.test(
        file,
      ),
    ),
  ).toEqual([]);
});

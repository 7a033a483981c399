// Runs the benchmarks of bench/ one after another, `soak` only when it is named, and prints figures, at the end those that have a target, with it and whether it was reached.
// Ratios are measured side by side in one run: they and counts are judged (exit code 1), times, rates and sizes are not.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { translateWithService } from './translation.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const only = process.argv.slice(2);
const compiled = mkdtempSync(join(root, 'node_modules', '.bench-'));
let failed = false;
try {
  await translateWithService(['bench', 'test/support', 'test/engine/support'], compiled);
  await bundle(join(compiled, 'src'));
  require('reflect-metadata');
  const names = readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith('.ts') && file !== 'result.ts')
    .map((file) => file.slice(0, -3));
  const { missed, shownTarget, shownValue, table } = require(
    join(compiled, 'bench/measure/report.js'),
  );
  const results = [];
  const isWanted = (name) => (only.length === 0 ? name !== 'soak' : only.includes(name));
  for (const name of names.filter(isWanted)) {
    console.log(`\n${name}`);
    const { run } = require(join(compiled, 'bench', `${name}.js`));
    for (const result of await run()) {
      const { name: figure, value, unit, target, detail } = result;
      results.push(result);
      console.log(
        `  ${figure.padEnd(64)} ${shownValue(value).padStart(10)} ${unit.padEnd(8)} ${target ? `target ${shownTarget(target)}` : ''}${detail ? `  (${detail})` : ''}`,
      );
    }
  }
  console.log(['', ...table(results)].join('\n'));
  const wrong = missed(results);
  if (wrong.length > 0)
    console.log(
      `\nMissed, whatever machine measures it: ${wrong.map(({ name }) => name).join('; ')}`,
    );
  failed = wrong.length > 0;
} finally {
  rmSync(compiled, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

// Runs the suite with jest and ends with one plain line of counts. `--long` adds the *.long.ts tests; `--nodes=24,26` runs the tests that
// meet the system under these Nodes too, and the line sums all; `--node=24` runs everything under that Node instead; `--retry` runs what fails
// once more, alone, and names what then passes. Other arguments go to jest.
import { otherNode } from './other-node.mjs';
import { runTests } from './run-tests.mjs';

/** What may differ between Nodes: sockets, processes, files, native modules; not what a browser shows. */
const MEETS_THE_SYSTEM = ['test/api/(?!runs-)', 'test/ws/', 'test/store/', 'test/e2e/(?!dashboard)'];
/** So may what starts processes and ends them, which the first of these Nodes, the one that most people have, tries whole. */
const STARTS_PROCESSES = ['test/engine/', 'test/scripts/', 'test/api/runs-(?!hostile)'];

const given = process.argv.slice(2);
const valueOf = (name) => given.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const rest = given.filter((argument) => !['--long', '--retry'].includes(argument) && !/^--nodes?=/.test(argument));
const long = given.includes('--long');
const retry = given.includes('--retry');
const asked = valueOf('node');

let runs;
try {
  const others = valueOf('nodes')?.split(',') ?? [];
  runs = [
    { name: asked, node: asked === undefined ? process.execPath : otherNode(asked), long, rest },
    ...others.flatMap((version, nth) => {
      const other = { name: version, node: otherNode(version) };
      return nth === 0
        ? [{ ...other, long: false, rest: [...MEETS_THE_SYSTEM, ...rest] }, { ...other, long: true, rest: [...STARTS_PROCESSES, ...rest] }]
        : [{ ...other, long: false, rest: [...MEETS_THE_SYSTEM, ...STARTS_PROCESSES, ...rest] }];
    }),
  ];
} catch (error) {
  console.error(error.message);
  process.exit(64); // EX_USAGE
}

const sum = { passed: 0, failed: 0, skipped: 0 };
let status = 0;
for (const { name, ...run } of runs) {
  const under = name === undefined ? '' : ` under Node ${name}`;
  if (under) console.log(`The tests${under}:`);
  const result = runTests({ ...run, retry });
  for (const test of result.skipped) console.log(`skipped${under}: ${test}`);
  for (const test of result.failed) console.log(`failed${under}: ${test}`);
  for (const test of result.retried) console.log(`failed${under} beside other tests, passed alone: ${test}`);
  for (const count of Object.keys(sum)) sum[count] += result[count].length;
  status ||= result.status;
}
console.log(`Tests: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exit(status);

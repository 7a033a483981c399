import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { invokerXml, operationXml } from '../support/invokers';
import { jobResult } from '../support/jobs';
import { dyingWithTheRun } from '../support/process';
import { template50 } from '../support/templates';
import { zipOf } from '../support/zips';

/* Archives of 200 files, on a machine that is busy otherwise. */

const FILES = 200;

let service: TestService;
let loops: ChildProcess[];
beforeAll(async () => {
  service = await startService();
  loops = Array.from({ length: 2 }, () =>
    spawn(
      process.execPath,
      [
        '-e',
        '(function busy() { const until = Date.now() + 50; while (Date.now() < until); setImmediate(busy); })()',
      ],
      { stdio: 'ignore', env: { PATH: process.env.PATH, ...dyingWithTheRun } },
    ),
  );
});
afterAll(async () => {
  for (const loop of loops) loop.kill('SIGKILL');
  await service.close();
});

const archiveOf = (
  nameOf: (nth: number) => string,
  contentOf: (nth: number) => string,
): Promise<Buffer> =>
  zipOf(
    Object.fromEntries(Array.from({ length: FILES }, (_, nth) => [nameOf(nth), contentOf(nth)])),
  );

/** The id of the job that imports an archive. */
async function importing(mutation: string, archive: Buffer): Promise<number> {
  const query = `mutation($file: Upload!) { ${mutation}(input: { file: $file }) { job { databaseId } userErrors { code message } } }`;
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { file: null } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new Blob([new Uint8Array(archive)]), 'a.zip');
  const { body } = await service.api('POST', '/graphql', {
    body: form,
    headers: { 'apollo-require-preflight': 'true' },
  });
  if (!body.data?.[mutation]?.job)
    throw new Error(`The import was not started: ${JSON.stringify(body)}`);
  return body.data[mutation].job.databaseId as number;
}

it('imports 200 templates and 200 invokers at the same time, each as a whole', async () => {
  const before = await service.data('{ templates { totalCount } invokers { totalCount } }');
  const templates = await archiveOf(
    (nth) => `${nth}.json`,
    (nth) => JSON.stringify({ ...template50(), name: `Template ${nth}` }),
  );
  const invokers = await archiveOf(
    (nth) => `${nth}.xml`,
    (nth) =>
      invokerXml(
        `Large import ${nth}`,
        Array.from({ length: 5 }, (_, at) => operationXml(`Read${at}`)).join('\n'),
      ),
  );
  const jobs = [
    await importing('templateImport', templates),
    await importing('invokerImport', invokers),
  ];
  // Throws unless a job ends well.
  await Promise.all(jobs.map((id) => jobResult(service, id)));
  const after = await service.data('{ templates { totalCount } invokers { totalCount } }');
  expect([
    after.templates.totalCount - before.templates.totalCount,
    after.invokers.totalCount - before.invokers.totalCount,
  ]).toEqual([FILES, FILES]);
  expect(service.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../support/built';
import { MAIN, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { template50 } from '../support/templates';
import { zipOf } from '../support/zips';

let dataDir: string;
let running: Running | null = null;
beforeAll(() => {
  built(MAIN);
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-killed-'));
});
afterEach(async () => {
  await killed();
  rmSync(dataDir, { recursive: true, force: true });
});

async function killed(): Promise<void> {
  running?.child.kill('SIGKILL');
  await running?.exit;
  running = null;
}

const ADMIN = { email: 'admin@hypha.test', password: 'correct horse battery' };

async function started(): Promise<{ url: string; token: string }> {
  running = startProcess({
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  const url = await readyUrl(running);
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return { url, token: answer.headers.get('authorization') ?? '' };
}

const jobOf = async ({ url, token }: { url: string; token: string }, id: number): Promise<any> =>
  (await fetch(`${url}/api/job/${id}`, { headers: { authorization: token } })).json();

it('an import that is killed while templates are written leaves nothing behind and has failed', async () => {
  const first = await started();
  const fill = 'x'.repeat(20_000);
  const archive = await zipOf(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, nth) => [
        `${nth}.json`,
        JSON.stringify({
          ...template50(),
          name: `T ${nth}`,
          description: null,
          connection: { ...template50().connection, ui: { fill: `${nth}${fill}` } },
        }),
      ]),
    ),
  );
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(archive)]), 'a.zip');
  const accepted = await fetch(`${first.url}/api/storage/template/zip`, {
    method: 'POST',
    headers: { authorization: first.token, prefer: 'respond-async' },
    body: form,
  });
  const { jobId } = (await accepted.json()) as { jobId: number };
  let job: any;
  do job = await jobOf(first, jobId);
  while (job.percent < 85 && job.state !== 'SUCCEEDED');
  expect(job.state).toBe('RUNNING');
  await killed();
  const second = await started();
  expect(await jobOf(second, jobId)).toMatchObject({
    state: 'FAILED',
    result: null,
    error: { code: 'JOB_INTERRUPTED' },
  });
  const left = await fetch(`${second.url}/api/template/all?metadataOnly=true`, {
    headers: { authorization: second.token },
  });
  expect(await left.text()).toBe('[]');
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type mongoose from 'mongoose';
import type { Domain } from '../../../src/domain';
import { systemActor } from '../../../src/platform/access/actor';
import type { Actor } from '../../../src/platform/access/actor';
import { commitsOf } from '../../support/store/store-commands';
import { openDomain } from '../../support/store/domain-fixture';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { method, workflow } from '../../support/documents/workflows';

const RUNS = 40;
const actor: Actor = {
  ...systemActor('runs'),
  grants: new Set(['CONNECTION:CREATE', 'CONNECTION:READ']),
};

let dir: string;
let remote: RemoteSystem;
let domain: Domain;
let connection: mongoose.Connection;
let close: () => Promise<void>;

async function open(isolation: string): Promise<void> {
  ({ domain, connection, close } = await openDomain(dir, isolation));
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-commits-'));
  remote = await remoteSystem(() => ({}));
});
afterEach(async () => {
  await close();
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

async function endedRun(workflowId: number): Promise<void> {
  const { runs, runEvents } = domain.services;
  const { _id } = await runs.run(actor, workflowId, { logging: false });
  const kinds: string[] = [];
  for await (const { event } of await runEvents.follow(actor, _id, 0, new AbortController().signal))
    kinds.push(event.kind);
  expect(kinds).toEqual(['RunStarted', 'StepStarted', 'StepFinished', 'RunFinished']);
}

it.each(['none', 'processes'])(
  'starting, claiming and ending a run take one commit each (isolation: %s)',
  async (isolation) => {
    await open(isolation);
    const { record } = await domain.services.workflows.save(actor, null, {
      document: workflow([method('0', `${remote.url}/once`)]),
    });
    await endedRun(record._id);
    const commits = commitsOf(connection);
    for (let run = 0; run < RUNS; run += 1) await endedRun(record._id);
    commits.stop();
    const of = (name: string): number => commits.made.filter((commit) => commit === name).length;
    // One that starts it, one that claims it as its first request is sent, and one that ends it.
    expect(of('commitTransaction')).toBe(3 * RUNS);
    expect(of('findAndModify runs')).toBe(0);
    // A slow machine renews leases while the runs go on, with one write for all of them.
    const renewals = of('update runs');
    expect(renewals).toBeLessThan(RUNS);
    // Ids are reserved in growing blocks; events of longer runs are stored before their end.
    expect(of('findAndModify sequences')).toBeLessThan(RUNS / 2);
    expect(commits.made.length - of('insert run_event_batches') - renewals).toBeLessThanOrEqual(
      4 * RUNS,
    );
  },
);

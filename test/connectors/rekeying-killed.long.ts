import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import { built } from '../support/service/built';
import { startService } from '../support/service/harness';
import { ROOT, startProcess } from '../support/process';
import { remoteSystem } from '../support/peers/remote-system';
import { shareOf } from '../support/rounds';
import {
  everyValue,
  openedWith,
  sealedThings,
  secretOf,
  tokenOf,
} from '../support/documents/sealed-values';
import { ended } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';

const CHILD = join(__dirname, '../support/service/rekey-child.cjs');
/** The number of connectors, and of named secrets. */
const EACH = 2;

/** The data of a stopped service with sealed values, and operations on its copies. */
interface SealedData {
  /** The writes of a key change from `one` to `two` in order, such as `vault_keys insertOne`. */
  readonly writes: readonly string[];
  /**
   * Changes the key of a copy in a process that is killed before the write with this number, inspects the data and repeats the change.
   * @param beforeRepetition changes the data before the repetition
   */
  killedBefore(
    write: number,
    beforeRepetition?: (dir: string) => Promise<void>,
  ): Promise<WhatIsLeft>;
  remove(): void;
}

interface KeyState {
  /** The passwords that open all values. */
  readonly opening: readonly string[];
  /** The passwords with which a start fails. */
  readonly refused: readonly string[];
  /** Whether the audit log contains the key change. */
  readonly isAudited: boolean;
}

interface WhatIsLeft extends KeyState {
  /** The result after the key change was repeated by a process with an accepted password. */
  readonly afterwards: KeyState;
}

/** Runs the key change and returns its writes and whether it was killed. */
async function changed(
  dir: string,
  from: string,
  killedAt = 0,
): Promise<{ writes: string[]; signal: string | null }> {
  const running = startProcess(
    {},
    [process.execPath, CHILD, dir, from, 'two', String(killedAt)],
    ROOT,
  );
  const { code, signal } = await running.exit;
  if (killedAt === 0 && code !== 0) throw new Error(running.output);
  return {
    signal,
    writes: running.output
      .split('\n')
      .filter((line) => line.startsWith('write '))
      .map((line) => line.slice('write '.length)),
  };
}

/** Returns which passwords open all values and which are rejected. Throws if a password opens only some values. */
async function tried(dir: string): Promise<KeyState> {
  const silent = createLogger({ log: { level: 'silent' } });
  const connected = await connectStore(
    { data: { dir, mongodbUri: null, shareStore: false } },
    silent,
    {
      placement: 'inline',
      durability: 'test',
    },
  );
  try {
    const [opening, refused]: string[][] = [[], []];
    for (const password of ['one', 'two']) {
      const opened = await openedWith(connected.store, dir, password).catch((error: Error) => {
        expect(error.message).toContain('Start with the master password they were stored with');
        return null;
      });
      if (opened) expect(await opened.values()).toEqual(everyValue(EACH));
      (opened ? opening : refused).push(password);
    }
    const isAudited = await connected.store.connection
      .collection('audit_events')
      .countDocuments({ action: 'master-password.change' });
    return { opening, refused, isAudited: isAudited > 0 };
  } finally {
    await connected.close();
  }
}

/** Starts and stops a service with sealed values and records the writes of one key change on a copy. */
async function sealedData(): Promise<SealedData> {
  built(join(ROOT, 'dist/domain.js'));
  const folder = mkdtempSync(join(tmpdir(), 'hypha-rekey-killed-'));
  const original = join(folder, 'original');
  const service = await startService({
    dataDir: original,
    env: { MONGODB_URI: '', HYPHA_CONNECTOR_MASTER_PASSWORD: 'one' },
  });
  await sealedThings(service, EACH);
  await service.app.stop();
  let copies = 0;
  const copied = (): string => {
    const copy = join(folder, `copy-${(copies += 1)}`);
    cpSync(original, copy, { recursive: true });
    return copy;
  };
  const { writes } = await changed(copied(), 'one');
  return {
    writes,
    async killedBefore(write, beforeRepetition = () => Promise.resolve()) {
      const dir = copied();
      const { signal, writes: made } = await changed(dir, 'one', write);
      expect([signal, made]).toEqual(['SIGKILL', writes.slice(0, write)]);
      const left = await tried(dir);
      await beforeRepetition(dir);
      // The operator may have either password.
      await changed(dir, left.opening[write % left.opening.length] ?? 'none');
      return { ...left, afterwards: await tried(dir) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A service with either password shows the credentials and sends the secrets stored before. */
async function serves(dataDir: string, password: string): Promise<void> {
  const remote = await remoteSystem(() => ({ body: {} }));
  const service = await startService({
    dataDir,
    env: { MONGODB_URI: '', HYPHA_CONNECTOR_MASTER_PASSWORD: password },
  });
  try {
    const { body: connectors } = await service.api('GET', '/api/connector/all', {
      headers: { 'X-Master-Password': password },
    });
    expect(connectors.map(({ requestData }: any) => requestData.token)).toEqual(
      connectors.map((_: unknown, at: number) => tokenOf(at)),
    );
    const { body: secrets } = await service.api('GET', '/api/secret/all');
    for (const { secretId, ...secret } of secrets)
      expect(
        (
          await service.api('PUT', `/api/secret/${secretId}`, {
            body: { ...secret, origins: [remote.url] },
          })
        ).status,
      ).toBe(200);
    const header = Object.fromEntries(
      secrets.map(({ name }: any) => [`X-${name}`, `{%secret.${name}%}`]),
    );
    const run = await ended(
      service,
      await started(
        service,
        await saved(
          service,
          workflow([
            method('0', remote.url, { request: { endpoint: remote.url, method: 'GET', header } }),
          ]),
        ),
      ),
    );
    expect([run.state, run.error]).toEqual(['SUCCEEDED', null]);
    expect(secrets.map(({ name }: any) => remote.received[0]?.headers[`x-${name}`])).toEqual(
      secrets.map((_: unknown, at: number) => secretOf(at)),
    );
    // New values are sealed with the key of this password, too.
    expect(
      (
        await service.api('PUT', `/api/connector/${connectors[0].connectorId}`, {
          body: { requestData: { token: tokenOf(0) } },
        })
      ).status,
    ).toBe(200);
  } finally {
    await service.app.stop();
    await remote.close();
  }
}

let data: SealedData;
beforeAll(async () => {
  data = await sealedData();
});
afterAll(() => data.remove());

it('a killed key change leaves a service that works with either password and can be finished', async () => {
  const write = data.writes.findIndex((name) => name.startsWith('secrets ')) + 2;
  const left = await data.killedBefore(write, async (dir) => {
    await serves(dir, 'one');
    await serves(dir, 'two');
  });
  expect(left).toEqual({
    opening: ['one', 'two'],
    refused: [],
    isAudited: false,
    afterwards: { opening: ['two'], refused: ['one'], isAudited: true },
  });
});

it('a key change that is killed before a write loses nothing and can be finished', async () => {
  const writes = data.writes.map((_, nth) => nth + 1);
  expect(writes.length).toBeGreaterThan(11);
  // Of 13 writes the third follows the new key, and the twelfth is in the final transaction.
  for (const write of shareOf(writes, 2, 9)) {
    const { opening, refused, isAudited, afterwards } = await data.killedBefore(write);
    expect([write, opening.length > 0, opening.length + refused.length]).toEqual([write, true, 2]);
    // The write that invalidates the earlier password also writes the audit record.
    expect([write, isAudited]).toEqual([write, !opening.includes('one')]);
    expect([write, afterwards]).toEqual([
      write,
      { opening: ['two'], refused: ['one'], isAudited: true },
    ]);
  }
});

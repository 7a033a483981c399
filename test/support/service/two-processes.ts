import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { loadConfig } from '../../../src/config/load';
import { createDomain } from '../../../src/domain';
import type { Domain } from '../../../src/domain';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { LeaseTimes } from '../../../src/features/runs/leases/run-leases';
import type { Actor } from '../../../src/platform/access/actor';
import type { Clock } from '../../../src/platform/clock/clock';
import { createInProcessBus } from '../../../src/platform/events/bus';
import { createLogger } from '../../../src/platform/log/logger';
import { CommitFeed } from '../../../src/platform/store/commits/commit-feed';
import { NEVER_FULL } from '../../../src/platform/store/full-disk';
import { Store } from '../../../src/platform/store/store';
import { ADMIN_EMAIL, ADMIN_PASSWORD, PATIENT } from './harness';
import { movingClock } from './moving-clock';
import { ORIGIN as origin } from './origin';
import { PROGRAMS } from './programs';
import { quickHashes } from './quick-hashes';
import { signIn } from './sign-in';
import { openForTests } from '../open-for-tests';

/** Two service instances on one database, each with its own memory, queues and bus. */
export interface TwoProcesses {
  readonly left: Domain;
  readonly right: Domain;
  /** The connection of each, to observe its store commands. */
  readonly connections: { readonly left: mongoose.Connection; readonly right: mongoose.Connection };
  readonly clock: ReturnType<typeof movingClock>;
  readonly admin: Actor;
  readonly adminToken: string;
  /** Resolves when both know what the other has written, as they do before each request. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export async function actorOf(domain: Domain, token: string): Promise<Actor> {
  const authentication = await domain.authenticate(token, origin);
  if (authentication.state !== 'signed-in') throw new Error(authentication.state);
  return authentication.actor;
}

/** Tests that need schedules to fire enable them. */
const NEVER_MS = 3_600_000;

/** The settings of one process. */
interface ProcessOptions {
  /** Default: shared by both. */
  readonly clock?: Clock;
  readonly runLeases?: LeaseTimes;
  readonly scheduleTickMs?: number;
}

interface TwoProcessesOptions {
  readonly env?: Record<string, string>;
  readonly left?: ProcessOptions;
  readonly right?: ProcessOptions;
}

export async function twoProcesses({
  env = {},
  left: ofLeft = {},
  right: ofRight = {},
}: TwoProcessesOptions = {}): Promise<TwoProcesses> {
  const clock = movingClock();
  const dir = mkdtempSync(join(tmpdir(), 'hypha-two-'));
  const server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const closing: (() => Promise<void>)[] = [() => server.close()];
  const { config } = loadConfig(
    { ADMIN_EMAIL, ADMIN_PASSWORD, DATA_DIR: dir, HYPHA_RUN_ISOLATION: 'none', ...PATIENT, ...env },
    dir,
  );
  const log = createLogger({ log: { level: 'silent' } });
  const start = async (
    own: ProcessOptions,
  ): Promise<{ domain: Domain; connection: mongoose.Connection; feed: CommitFeed }> => {
    const connection = await mongoose
      .createConnection(server.uri, { autoIndex: false, autoCreate: false, monitorCommands: true })
      .asPromise();
    const feed = new CommitFeed(connection);
    const domain = await createDomain({
      config,
      log,
      clock,
      hashes: quickHashes,
      scheduleTickMs: NEVER_MS,
      bus: createInProcessBus(() => undefined),
      store: new Store(connection, false, null, NEVER_FULL, feed),
      programs: PROGRAMS,
      ...own,
    });
    closing.push(async () => {
      await domain.stop();
      await feed.stop();
      await connection.close();
    });
    await domain.prepare();
    return { domain, connection, feed };
  };
  const started = [await start(ofLeft), await start(ofRight)];
  const [{ domain: left, connection: onLeft }, { domain: right, connection: onRight }] = started;
  const adminToken = await signIn(left.services, ADMIN_EMAIL, ADMIN_PASSWORD, origin);
  return {
    left,
    right,
    connections: { left: onLeft, right: onRight },
    clock,
    adminToken,
    admin: await actorOf(left, adminToken),
    async catchUp() {
      for (const { feed } of started) await feed.catchUp();
    },
    async close() {
      for (const close of closing.reverse()) await close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Two processes that run during the tests of this file or block. */
export const testProcesses = (options?: TwoProcessesOptions): TwoProcesses =>
  openForTests(() => twoProcesses(options));

/** `done`, or the error code. */
export const settledOutcome = (settled: PromiseSettledResult<unknown>): string =>
  settled.status === 'fulfilled' ? 'done' : (settled.reason as { code: string }).code;

/** The results of two concurrent operations: `done`, or an error code. */
export const both = async (first: Promise<unknown>, second: Promise<unknown>): Promise<string[]> =>
  (await Promise.allSettled([first, second])).map(settledOutcome);

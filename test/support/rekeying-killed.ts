import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import { built } from './built';
import { startService } from './harness';
import { ROOT, startProcess } from './process';
import { everyValue, openedWith, sealedThings } from './sealed-values';

const CHILD = join(__dirname, 'rekey-child.cjs');
/** Connectors, and as many named secrets. */
const EACH = 2;

/** The data of a stopped service with sealed values, and what can be done with a copy of it. */
export interface SealedData {
  /** The writes of a change of the key from `one` to `two`, in their order: `vault_keys insertOne`. */
  readonly writes: readonly string[];
  /**
   * Changes the key of a copy in a process that is killed before the write with this number, and looks at what is left; then finishes it.
   * @param meanwhile what is done with the data before it is finished
   */
  killedBefore(write: number, meanwhile?: (dir: string) => Promise<void>): Promise<WhatIsLeft>;
  remove(): void;
}

export interface Found {
  /** The passwords with which everything opens. */
  readonly opening: readonly string[];
  /** Those with which a start is refused. */
  readonly refused: readonly string[];
  /** Does the audit say that the key was changed? */
  readonly told: boolean;
}

export interface WhatIsLeft extends Found {
  /** The same when the change was made again, by a process that was started with one of the passwords that open everything. */
  readonly afterwards: Found;
}

/** Runs the change of the key to its end; its writes, and whether it was killed. */
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

/** Which passwords open everything, and which a start is refused with. That one opens a part of the values is none of both, and thrown. */
async function tried(dir: string): Promise<Found> {
  const silent = createLogger({ log: { level: 'silent' } });
  const connected = await connectStore({ data: { dir, mongodbUri: null } }, silent, {
    placement: 'inline',
    durability: 'test',
  });
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
    const told = await connected.store.connection
      .collection('audit_events')
      .countDocuments({ action: 'master-password.change' });
    return { opening, refused, told: told > 0 };
  } finally {
    await connected.close();
  }
}

/** Starts a service with sealed values, stops it, and changes the key of a copy once to learn of which writes that is made. */
export async function sealedData(): Promise<SealedData> {
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
    async killedBefore(write, meanwhile = () => Promise.resolve()) {
      const dir = copied();
      const { signal, writes: made } = await changed(dir, 'one', write);
      expect([signal, made]).toEqual(['SIGKILL', writes.slice(0, write)]);
      const left = await tried(dir);
      await meanwhile(dir);
      // Whichever of them the operator has.
      await changed(dir, left.opening[write % left.opening.length] ?? 'none');
      return { ...left, afterwards: await tried(dir) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

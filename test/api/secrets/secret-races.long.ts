import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditService } from '../../../src/features/audit/audit.service';
import { SecretNames } from '../../../src/features/secrets/secret-names';
import { SecretService } from '../../../src/features/secrets/secret.service';
import { SecretValues } from '../../../src/features/secrets/secret-values';
import { commandActor } from '../../../src/platform/access/actor';
import { systemClock } from '../../../src/platform/clock/clock';
import { VaultKeys } from '../../../src/platform/crypto/vault';
import { createLogger } from '../../../src/platform/log/logger';
import { connectStore } from '../../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../../src/platform/store/startup/connect';
import type { Tx } from '../../../src/platform/store/store';

const actor = commandActor('tester', 'request');

describe('the references to a secret', () => {
  let dir: string;
  let connected: ConnectedStore;
  let vault: VaultKeys;
  let names: SecretNames;
  let values: SecretValues;
  let secrets: SecretService;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hypha-secret-races-'));
    connected = await connectStore(
      { data: { dir, mongodbUri: null, shareStore: false } },
      createLogger({ log: { level: 'silent' } }),
      { placement: 'inline', durability: 'test' },
    );
    const { store } = connected;
    vault = new VaultKeys({ store, dir, masterPassword: 'one' });
    const bus = { publish: () => undefined, subscribe: () => () => undefined } as never;
    const log = createLogger({ log: { level: 'silent' } });
    const audit = new AuditService({ store, bus, clock: systemClock, log }, 365);
    const named = () => store.connection.collection<{ _id: number; secrets: string[] }>('names');
    names = new SecretNames(store);
    values = new SecretValues(store, vault);
    secrets = new SecretService({
      store,
      audit,
      values,
      workflowReferences: {
        using: async ({ secrets: keys }, tx) =>
          (
            await named()
              .find({ secrets: { $in: [...keys] } }, { session: tx?.session })
              .toArray()
          ).map(({ _id }) => ({ workflowId: _id, title: `w${_id}` })),
        usersOfSecrets: async () => new Map(),
      },
    });
    await store.prepare();
    await store.connection.createCollection('names');
    await vault.unlock(() => values.keysInUse());
  });
  afterEach(async () => {
    await connected.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Performs the transaction of a save: reads the names, claims them, writes the row. Calls `paused` in between. */
  async function save(
    id: number,
    key: string,
    paused: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    return connected.store.transaction(async (tx: Tx) => {
      const existing = await names.findExisting([key], tx);
      await names.claim([...existing], tx);
      await paused();
      await connected.store.connection
        .collection<{ _id: number; secrets: string[] }>('names')
        .insertOne({ _id: id, secrets: [key] }, { session: tx.session });
      return existing.has(key);
    });
  }

  it.each(['remove', 'rename'] as const)(
    'are consistent for every order of a save and a deletion (%s)',
    async (action) => {
      let [unseen, intact, lost] = [0, 0, 0];
      for (let nth = 0; nth < 40; nth += 1) {
        const { id } = await secrets.create(actor, {
          name: `Key-${nth}`,
          value: 'v',
          origins: ['https://a'],
        });
        const change = (): Promise<'done' | 'refused'> =>
          (action === 'remove'
            ? secrets.remove(actor, id)
            : secrets.update(actor, id, { name: `Other-${nth}` })
          ).then(
            () => 'done' as const,
            (error: { code?: string }) => {
              expect(error.code).toBe('SECRET_IN_USE');
              return 'refused' as const;
            },
          );
        let changing: Promise<'done' | 'refused'> | undefined;
        const saving =
          nth % 2
            ? save(nth, `key-${nth}`, async () => {
                changing ??= change();
              })
            : save(nth, `key-${nth}`);
        changing ??= nth % 2 ? undefined : change();
        const wasKnown = await saving;
        const outcome = await (changing ?? change());
        if (wasKnown && outcome === 'done') unseen += 1;
        else if (outcome === 'refused') intact += 1;
        else lost += 1;
        expect((await names.findExisting([`key-${nth}`])).has(`key-${nth}`)).toBe(
          outcome === 'refused',
        );
      }
      expect(unseen).toBe(0);
      expect(intact).toBeGreaterThan(0);
      expect(intact + lost).toBe(40);
    },
  );

  it('the values of secrets are re-encrypted one by one with a new key', async () => {
    for (let nth = 0; nth < 5; nth += 1)
      await secrets.create(actor, {
        name: `Key-${nth}`,
        value: `value-${nth}`,
        origins: ['https://a'],
      });
    const [before] = await values.keysInUse();
    await vault.changeTo('two');
    expect(vault.keyId).not.toBe(before);
    let over = 0;
    while (await values.resealNext(vault.keyId)) over += 1;
    await vault.changeDone();
    expect([over, await values.keysInUse()]).toEqual([5, [vault.keyId]]);
    const again = new VaultKeys({ store: connected.store, dir, masterPassword: 'two' });
    await again.unlock(() => values.keysInUse());
    const opened = await values.open(['key-0', 'key-4', 'nobody']);
    expect(
      [...opened].map(([key, { name, value, origins }]) => [key, name, value, origins]),
    ).toEqual([
      ['key-0', 'Key-0', 'value-0', ['https://a']],
      ['key-4', 'Key-4', 'value-4', ['https://a']],
    ]);
    await expect(
      new VaultKeys({ store: connected.store, dir, masterPassword: 'one' }).unlock(() =>
        values.keysInUse(),
      ),
    ).rejects.toThrow('sealed with');
  });
});

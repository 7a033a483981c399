import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { connectorCollection } from '../../src/features/connectors/connector.model';
import { loadConfig } from '../../src/config/load';
import { createDomain } from '../../src/domain';
import { sealedOf } from '../../src/feature';
import { FEATURES } from '../../src/features';
import type { Domain } from '../../src/domain';
import { commandActor } from '../../src/platform/access/actor';
import { systemClock } from '../../src/platform/clock/clock';
import type { CommandProgress } from '../../src/platform/control/command';
import { keysInUse } from '../../src/platform/crypto/sealed-records';
import { VaultKeys } from '../../src/platform/crypto/vault';
import { createInProcessBus } from '../../src/platform/events/bus';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { quickHashes } from '../support/service/quick-hashes';

// Each start derives keys from passwords, which is slow on purpose.
jest.setTimeout(600_000);

const actor = commandActor('root', 'rekey');
const USER = 1;
const RUN = 7;
const WRITES = /^(?:insert|update|delete|bulkWrite|replace|findOneAnd|findAndModify)/;

let dir: string;
let connected: ConnectedStore;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-rekey-steps-'));
  connected = await connectStore(
    { data: { dir, mongodbUri: null, shareStore: false } },
    createLogger({ log: { level: 'silent' } }),
    { placement: 'inline', durability: 'test' },
  );
});
afterAll(async () => {
  await connected.close();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(() => mongoose.set('debug', false));

/** The services of a process that starts with this master password; null: with the key file. */
async function createProcess(masterPassword: string | null): Promise<Domain> {
  const { config } = loadConfig(
    {
      ADMIN_EMAIL,
      ADMIN_PASSWORD,
      DATA_DIR: dir,
      ...(masterPassword !== null && { HYPHA_CONNECTOR_MASTER_PASSWORD: masterPassword }),
    },
    dir,
  );
  return createDomain({
    config,
    log: createLogger({ log: { level: 'silent' } }),
    clock: systemClock,
    bus: createInProcessBus(() => undefined),
    store: connected.store,
    hashes: quickHashes,
  });
}

/** Starts a process, which opens all values or fails. */
async function started(masterPassword: string | null): Promise<Domain> {
  const domain = await createProcess(masterPassword);
  await domain.prepare();
  return domain;
}

/** Stores a value of each kind that is encrypted. */
async function storeOneOfEach({ services }: Domain): Promise<void> {
  const { credentials, secretValues, secondFactorRecords, webhookRecords, runParameters, outbox } =
    services;
  await connected.store.transaction(async (tx) => {
    await secondFactorRecords.renew(USER, false, tx);
    await webhookRecords.insert(actor, 1, tx);
    runParameters.write(runParameters.seal(RUN, '{"a":"parameter"}'), tx);
    await outbox.enqueue(
      {
        channel: 'email',
        purpose: 'PASSWORD_RESET',
        to: 'a@hypha.test',
        subject: 's',
        body: 'link',
        error: { code: 'MAIL_REJECTED', message: 'kept' },
      },
      tx,
    );
  });
  await connected.store.connection.collection('connectors').insertOne({
    _id: 1,
    ...credentials.seal(
      1,
      [],
      [{ name: 'token', text: 'credential', consent: { visibility: 'private', origins: [] } }],
    ),
  } as never);
  await connected.store.connection.collection('secrets').insertOne({
    _id: 1,
    name: 'key',
    nameKey: 'key',
    origins: [],
    sealed: secretValues.seal('named secret', 1),
  } as never);
}

/** Decrypts each of them. @throws SealBroken */
async function readOneOfEach({ services }: Domain): Promise<readonly unknown[]> {
  const [connector] = await connectorCollection(connected.store).find();
  const factor = await services.secondFactorRecords.byUser(USER);
  const [delivery] = await services.outbox.deliveries.find();
  const webhook = (await services.webhookRecords.ofSchedules([1])).get(1);
  return [
    services.credentials.open(connector).token,
    (await services.secretValues.open(['key'])).get('key')?.value,
    services.secondFactorRecords.storedSecretOf(factor!),
    services.webhookRecords.tokenOf(webhook!),
    await services.runParameters.find(RUN),
    (await services.outbox.contentOf(delivery._id))?.body,
  ];
}

/** Collections that hold a value encrypted with this key. */
async function collectionsWith(keyId: string): Promise<string[]> {
  const names: string[] = [];
  for (const { name } of await connected.store.connection.db!.listCollections().toArray()) {
    const records = await connected.store.connection.collection(name).find().toArray();
    if (name !== 'audit_events' && JSON.stringify(records).includes(`"keyId":"${keyId}"`))
      names.push(name);
  }
  return names;
}

/** Returns the id of the key in use, and removes those that were replaced: they only slow down starts. */
async function takeOnlyKey(): Promise<string> {
  const keys = connected.store.connection.collection<{ _id: string; replacedBy: string | null }>(
    'vault_keys',
  );
  await keys.deleteMany({ replacedBy: { $ne: null } });
  const [only, ...others] = await keys.find().toArray();
  expect(others).toEqual([]);
  return only._id;
}

/** Makes the write with this number fail, as if the process had ended before it. */
function failAtWrite(nth: number): readonly string[] {
  const writes: string[] = [];
  mongoose.set('debug', (collection: string, method: string) => {
    // The lease is renewed by a timer.
    if (!WRITES.test(method) || collection === 'leases') return;
    writes.push(`${collection} ${method}`);
    if (writes.length >= nth) throw new Error('the process was killed');
  });
  return writes;
}

/** Whether a process with this password can start. */
async function canStart({ services }: Domain, masterPassword: string): Promise<boolean> {
  const sealed = sealedOf(FEATURES, services);
  const vault = new VaultKeys({ store: connected.store, dir, masterPassword });
  try {
    await vault.unlock(() => keysInUse(sealed));
    return true;
  } catch (error) {
    expect((error as Error).message).toContain('Stored credentials are sealed');
    return false;
  }
}

it('a key change that is interrupted before any of its writes loses nothing and can be repeated', async () => {
  let current = await started('password 0');
  await storeOneOfEach(current);
  const values = await readOneOfEach(current);
  expect(values.every(Boolean)).toBe(true);
  let isComplete = false;
  for (let nth = 1; !isComplete; nth += 1) {
    const [from, to] = [`password ${nth - 1}`, `password ${nth}`];
    const oldKey = await takeOnlyKey();
    const writes = failAtWrite(nth);
    const outcome = await current.services.rekeying
      .change(actor, to)
      .catch((error: Error) => error);
    mongoose.set('debug', false);
    isComplete = writes.length < nth;
    if (isComplete) expect([outcome, nth > 12]).toEqual([6, true]);
    const passwords = [];
    for (const password of [from, to])
      if (await canStart(current, password)) passwords.push(password);
    expect([nth, passwords.length > 0]).toEqual([nth, true]);
    const chosen = passwords[nth % passwords.length] ?? '';
    expect([nth, await readOneOfEach(await started(chosen))]).toEqual([nth, values]);
    // The command on a stopped service, by an operator who has one of the passwords.
    current = await createProcess(passwords.at(-1 - (nth % passwords.length)) ?? '');
    expect(await current.prepareForCommands()).toBe(true);
    const progress: CommandProgress[] = [];
    const records = await current.services.rekeying.change(actor, to, (at) => progress.push(at));
    expect(progress).toEqual(
      Array.from({ length: records }, (_, at) => ({ done: at + 1, total: records })),
    );
    expect([nth, await readOneOfEach(current)]).toEqual([nth, values]);
    expect([nth, await collectionsWith(oldKey)]).toEqual([nth, ['vault_keys']]);
    expect([nth, await canStart(current, from), await canStart(current, to)]).toEqual([
      nth,
      false,
      true,
    ]);
  }
});

it('a password that cannot be sent in a header is refused', async () => {
  const domain = await createProcess('any');
  for (const password of ['', ' x', 'é', 'x'.repeat(257)])
    await expect(domain.services.rekeying.change(actor, password)).rejects.toMatchObject({
      code: 'MASTER_PASSWORD_INVALID',
    });
});

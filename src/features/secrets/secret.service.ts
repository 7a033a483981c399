import type { Actor } from '../../platform/access/actor';
import { Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { requireUnused } from '../../platform/errors/require-unused';
import { secretKey } from '../../platform/secrets';
import type { Collection } from '../../platform/store/collection';
import { everyRecord, requireVersion, THE_ID } from '../../platform/store/records';
import { changeAll } from '../../platform/store/change-all';
import type { ExpectedVersion } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import type { Store, Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import { UniqueNames } from '../../platform/store/unique-names';
import type { AuditService } from '../audit/audit.service';
import { secretCollection } from './secret.model';
import type { SecretRecord } from './secret.model';
import { normalOrigins, SECRET_LENGTHS, secretErrors } from './secret.rules';
import type { SecretChange } from './secret.rules';
import type { SecretValues } from './secret-values';

declare module '../../platform/context' {
  interface Services {
    secrets: SecretService;
  }
}

/** A secret without its value. */
export interface Secret {
  readonly id: number;
  readonly name: string;
  readonly note: string | null;
  readonly origins: readonly string[];
  readonly version: number;
}

interface SecretUser {
  readonly workflowId: number;
  readonly title: string;
}

export interface SecretInUse {
  readonly secret: Secret;
  readonly users: readonly SecretUser[];
}

export interface NewSecret extends SecretChange {
  readonly name: string;
  readonly value: string;
  readonly origins: readonly string[];
}

/** `force`: delete also if workflows use it. Their runs then fail with SECRET_NOT_FOUND. */
interface SecretDeletion {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

/** Finds the workflows that use secrets; keys are folded names. */
interface SecretReferences {
  using(things: { readonly secrets: readonly string[] }, tx?: Tx): Promise<readonly SecretUser[]>;
  /** Returns the users of several secrets in one query. Unused secrets are omitted. */
  usersOfSecrets(keys: readonly string[]): Promise<ReadonlyMap<string, readonly SecretUser[]>>;
}

/** Projection without the encrypted value. */
const WITHOUT_VALUE = { sealed: 0 } as const;

const toSecret = ({ _id, name, note, origins, version }: Omit<SecretRecord, 'sealed'>): Secret => ({
  id: _id,
  name,
  note,
  origins,
  version,
});

/** The audit record: without the value, but with the fact that it changed. */
const recorded = ({ name, note, origins, version }: SecretRecord, isValueNew = false): object => ({
  name,
  note,
  origins,
  version,
  ...(isValueNew && { valueChanged: true }),
});

const secretNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('SECRET_NOT_FOUND', `There is no secret ${id}.`, { path });

const target = (id: number) => ({ type: 'Secret', id }) as const;

/**
 * Named secrets: values that steps use by name, each sent only to its own origins. Values are never
 * returned; `SecretValues` decrypts them for runs.
 */
export class SecretService {
  private readonly secrets: Collection<SecretRecord>;
  private readonly uniqueNames: UniqueNames<SecretRecord>;
  readonly searchTitles: TitleSearch;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      readonly values: SecretValues;
      readonly workflowReferences: SecretReferences;
    },
  ) {
    this.secrets = secretCollection(deps.store);
    this.uniqueNames = new UniqueNames(this.secrets, {
      keyOf: secretKey,
      takenError: (name) =>
        new Conflict(
          'SECRET_ALREADY_EXIST',
          `There is already a secret called ${name}; names are compared without regard to case.`,
          { path: ['name'] },
        ),
    });
    this.searchTitles = titleSearch(this.secrets, { title: 'name', key: 'nameKey' });
  }

  /** @throws NotFound SECRET_NOT_FOUND */
  async get(id: number): Promise<Secret> {
    const secret = await this.byId(id);
    if (!secret) throw secretNotFound(id);
    return secret;
  }

  async byId(id: number): Promise<Secret | null> {
    const record = await this.secrets.findOne({ _id: id }, { fields: WITHOUT_VALUE });
    return record && toSecret(record);
  }

  /** Returns the secrets in the given order, null for missing ones. */
  async byIds(ids: readonly number[]): Promise<(Secret | null)[]> {
    const records = await this.secrets.byIds(ids, { fields: WITHOUT_VALUE });
    return records.map((record) => record && toSecret(record));
  }

  async page(query: PageQuery): Promise<Page<Secret>> {
    return (await pageOf<SecretRecord>(this.secrets, query)).map(toSecret);
  }

  /** Streams all secrets by id, each with the workflows that use it. */
  async *list(): AsyncGenerator<SecretInUse, void, void> {
    for await (const records of everyRecord(this.secrets, {}, WITHOUT_VALUE))
      yield* await this.withUsers(records.map(toSecret));
  }

  /** Adds the workflows that use each of these secrets. */
  async withUsers(secrets: readonly Secret[]): Promise<SecretInUse[]> {
    const keys = secrets.map(({ name }) => secretKey(name));
    const users = await this.deps.workflowReferences.usersOfSecrets(keys);
    return secrets.map((secret, at) => ({ secret, users: users.get(keys[at]) ?? [] }));
  }

  /**
   * @throws BadInput name, note, value or origins are invalid
   * @throws Conflict SECRET_ALREADY_EXIST
   */
  create(actor: Actor, { name, note = null, value, origins }: NewSecret): Promise<Secret> {
    return this.save(name, async (tx) => {
      const findings = new Findings(secretErrors({ name, note, value, origins }));
      await this.checkName(name, null, findings, tx);
      findings.refuse();
      const id = await this.deps.store.nextId('secrets', tx);
      const record = await this.secrets.insert(
        {
          _id: id,
          name,
          nameKey: secretKey(name),
          note,
          sealed: this.deps.values.seal(value, id),
          origins: normalOrigins(origins),
          claims: 0,
          version: 1,
        },
        tx,
      );
      await this.deps.audit.record(actor, 'secret.create', target(id), null, recorded(record), tx);
      return toSecret(record);
    });
  }

  /**
   * Changes the given fields. Runs that have started keep the previous value.
   * @throws BadInput name, note, value or origins are invalid
   * @throws NotFound SECRET_NOT_FOUND
   * @throws Conflict SECRET_IN_USE workflows use the name that would change; SECRET_ALREADY_EXIST;
   * CONFLICT the version differs
   */
  update(
    actor: Actor,
    id: number,
    change: SecretChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<Secret> {
    const { name, note, value, origins } = change;
    return this.save(name ?? '', async (tx) => {
      const findings = new Findings();
      const before = await findings.of(() => this.requireRecord(id, ['id'], tx));
      if (before) findings.ofSync(() => requireVersion('secret', before, expectedVersion));
      findings.add(...secretErrors(change));
      if (name !== undefined) await this.checkName(name, id, findings, tx);
      if (before && name !== undefined && secretKey(name) !== before.nameKey)
        await findings.of(() => this.requireUnused(before, ['name'], tx));
      const base = findings.passed(before);
      const after = await this.secrets.change(
        id,
        {
          ...(name !== undefined && { name, nameKey: secretKey(name) }),
          ...(note !== undefined && { note }),
          ...(value !== undefined && { sealed: this.deps.values.seal(value, id) }),
          ...(origins !== undefined && { origins: normalOrigins(origins) }),
          version: base.version + 1,
        },
        tx,
      );
      const shown = recorded(after, value !== undefined);
      await this.deps.audit.record(actor, 'secret.update', target(id), recorded(base), shown, tx);
      return toSecret(after);
    });
  }

  /**
   * Deletes a secret and returns it as it was.
   * @throws NotFound SECRET_NOT_FOUND
   * @throws Conflict SECRET_IN_USE with the title of the first workflow, unless forced; CONFLICT the
   * version differs
   */
  remove(actor: Actor, id: number, deletion: SecretDeletion = {}): Promise<Secret> {
    return this.deps.store.transaction((tx) => this.removeOne(actor, id, THE_ID(id), deletion, tx));
  }

  /** Deletes several secrets, all or none; see `remove`. */
  removeAll(
    actor: Actor,
    ids: readonly number[],
    { force }: Pick<SecretDeletion, 'force'> = {},
  ): Promise<Secret[]> {
    return changeAll(this.deps.store, ids, 'secrets', (id, path, tx) =>
      this.removeOne(actor, id, path, { force }, tx),
    );
  }

  private save<R>(name: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.uniqueNames.guard(name, () => this.deps.store.transaction(work));
  }

  /** A name that is too long is invalid and belongs to no secret. */
  private async checkName(
    name: string,
    id: number | null,
    findings: Findings,
    tx: Tx,
  ): Promise<void> {
    if (name.length <= SECRET_LENGTHS.name) await this.uniqueNames.check(name, id, findings, tx);
  }

  private async requireRecord(id: number, path: InputPath, tx: Tx): Promise<SecretRecord> {
    const record = await this.secrets.byId(id, tx);
    if (!record) throw secretNotFound(id, path);
    return record;
  }

  private async requireUnused(
    { name, nameKey }: SecretRecord,
    path: InputPath,
    tx: Tx,
  ): Promise<void> {
    const users = await this.deps.workflowReferences.using({ secrets: [nameKey] }, tx);
    requireUnused('SECRET_IN_USE', `The secret ${name}`, users, path);
  }

  private async removeOne(
    actor: Actor,
    id: number,
    path: InputPath,
    { force = false, expectedVersion }: SecretDeletion,
    tx: Tx,
  ): Promise<Secret> {
    const before = await this.requireRecord(id, path, tx);
    const findings = new Findings();
    findings.ofSync(() => requireVersion('secret', before, expectedVersion));
    if (!force) await findings.of(() => this.requireUnused(before, path, tx));
    findings.refuse();
    await this.secrets.deleteOne({ _id: id }, tx);
    await this.deps.audit.record(actor, 'secret.delete', target(id), recorded(before), null, tx);
    return toSecret(before);
  }
}

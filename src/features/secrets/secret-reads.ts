import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { secretKey } from '../../platform/secrets';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { titleSearch } from '../../platform/store/title-search';
import type { Tx } from '../../platform/store/store';
import type { SecretRecord } from './secret.model';
import type { SecretUser, SecretUsers } from './secret.ports';

export interface Secret {
  readonly id: number;
  readonly name: string;
  readonly note: string | null;
  readonly origins: readonly string[];
  readonly version: number;
}

export interface SecretInUse {
  readonly secret: Secret;
  readonly users: readonly SecretUser[];
}

export const shown = ({
  _id,
  name,
  note,
  origins,
  version,
}: Pick<SecretRecord, '_id' | 'name' | 'note' | 'origins' | 'version'>): Secret => ({
  id: _id,
  name,
  note,
  origins,
  version,
});

export const secretNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('SECRET_NOT_FOUND', `There is no secret ${id}.`, { path });

/** Projection without the encrypted value. */
const SEALED = { sealed: 0 } as const;

export type SecretReads = ReturnType<typeof createSecretReads>;

/** Reads secrets, never their values. */
export function createSecretReads({
  secrets,
  workflows,
}: {
  secrets: Model<SecretRecord>;
  workflows: SecretUsers;
}) {
  async function byId(id: number): Promise<Secret | null> {
    const record = await secrets.findById(id, SEALED).lean<SecretRecord>();
    return record && shown(record);
  }

  async function withUsers(found: readonly Secret[]): Promise<SecretInUse[]> {
    const users = await workflows.usersOfSecrets(found.map(keyOf));
    return found.map((secret) => ({ secret, users: users.get(keyOf(secret)) ?? [] }));
  }

  return {
    searchTitles: titleSearch(secrets, { title: 'name', key: 'nameKey' }),

    /** Returns null if there is none. */
    byId,

    /** In the order of `ids`, null for unknown ones. */
    async byIds(ids: readonly number[]): Promise<(Secret | null)[]> {
      return (await recordsByIds(secrets, ids, { projection: SEALED })).map(
        (record) => record && shown(record),
      );
    },

    /** @throws NotFound SECRET_NOT_FOUND */
    async get(id: number): Promise<Secret> {
      const secret = await byId(id);
      if (!secret) throw secretNotFound(id);
      return secret;
    },

    /** Returns the record for a change. @throws NotFound SECRET_NOT_FOUND */
    async record(id: number, path: InputPath, { session }: Tx): Promise<SecretRecord> {
      const record = await secrets.findById(id, null, { session }).lean<SecretRecord>();
      if (!record) throw secretNotFound(id, path);
      return record;
    },

    async page(query: PageQuery): Promise<Page<Secret>> {
      return (await pageOf<SecretRecord>(secrets, query)).map(shown);
    },

    /** Streams all secrets by id, each with the workflows that use it. */
    async *list(): AsyncGenerator<SecretInUse, void, void> {
      for await (const records of everyRecord(secrets, {}, SEALED))
        yield* await withUsers(records.map(shown));
    },

    async inUse(secret: Secret): Promise<SecretInUse> {
      const [one] = await withUsers([secret]);
      return one ?? { secret, users: [] };
    },
  };
}

const keyOf = ({ name }: Pick<Secret, 'name'>): string => secretKey(name);

import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KeyedLock } from '../queues';
import type { Collection } from '../store/collection';
import { orNull, schemaOf } from '../store/schema';
import type { Store, Tx } from '../store/store';
import type { Counted, Failures } from './failures';

/** What an attempt counts for. Names of networks contain no space. */
export interface Attempt {
  readonly account: string;
  readonly network: string;
}

/** Where failures are counted. */
export interface AttemptRecords {
  read(attempt: Attempt): Promise<Counted>;
  /**
   * Replaces what is counted, atomically. Returns what was counted before.
   * @param rule returns the same object for what does not change; it may be called again
   */
  change(attempt: Attempt, rule: (before: Counted) => Counted): Promise<Counted>;
  /** Removes the failures of accounts from all networks, if the transaction commits. */
  remove(accounts: readonly string[], tx: Tx): Promise<void>;
}

/**
 * Maximum number of remembered accounts, and of networks: bounds the memory if a client invents
 * them.
 */
const REMEMBERED = 10_000;

/** Counts in the memory of this process, the only one at its store. */
export class AttemptMemory implements AttemptRecords {
  private readonly accounts = new LRUCache<string, Failures>({ max: REMEMBERED });
  private readonly networks = new LRUCache<string, Failures>({ max: REMEMBERED });

  read(attempt: Attempt): Promise<Counted> {
    return Promise.resolve(this.counted(attempt));
  }

  change(attempt: Attempt, rule: (before: Counted) => Counted): Promise<Counted> {
    const before = this.counted(attempt);
    const after = rule(before);
    const key = keyOf(attempt);
    if (after.account) this.accounts.set(key, after.account);
    else this.accounts.delete(key);
    if (after.network) this.networks.set(attempt.network, after.network);
    return Promise.resolve(before);
  }

  remove(accounts: readonly string[], tx: Tx): Promise<void> {
    const removed = new Set(accounts.map((account) => keyOf({ account, network: '' })));
    tx.afterCommit(() => {
      for (const key of this.accounts.keys())
        if (removed.has(key.slice(key.indexOf(' ')))) this.accounts.delete(key);
    });
    return Promise.resolve();
  }

  private counted(attempt: Attempt): Counted {
    return {
      account: this.accounts.get(keyOf(attempt)) ?? null,
      network: this.networks.get(attempt.network) ?? null,
    };
  }
}

const keyOf = ({ account, network }: Attempt): string => `${network} ${account}`;

/** `Failures` in the store. */
interface AttemptRecord extends Omit<Failures, 'expiresAt'> {
  /** Keyed hash of the account and the network: names that users enter may be passwords. */
  readonly _id: string;
  /** Attempts of other kinds are counted separately. */
  readonly kind: string;
  /** Keyed hash of the account; null for a network. */
  readonly account: string | null;
  readonly expiresAt: Date;
}

const attemptSchema = schemaOf<AttemptRecord>({
  _id: String,
  kind: String,
  account: orNull(String),
  count: Number,
  times: [Number],
  lockedUntil: Number,
  expiresAt: Date,
});
attemptSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
attemptSchema.index({ kind: 1, expiresAt: 1 });
attemptSchema.index({ account: 1 });

/** Maximum number of stored records of a kind. Those that expire first are removed. */
const MAX_RECORDS = 100_000;
/** The part of it that each process adds before it checks the number. */
const UNCHECKED = 0.01;

/** Counts in the store, for all processes that use it. */
export class StoredAttempts implements AttemptRecords {
  private readonly records: Collection<AttemptRecord>;
  /** Transactions of this process that write the record of a network would conflict. */
  private readonly locks = new KeyedLock();
  private added = 0;

  /**
   * @param kind   of the attempts that are counted together
   * @param secret of all processes at the store
   */
  constructor(
    private readonly store: Store,
    private readonly kind: string,
    private readonly secret: Buffer,
    private readonly maxRecords = MAX_RECORDS,
  ) {
    this.records = store.collection('Attempt', attemptSchema, 'attempts');
  }

  async read(attempt: Attempt, tx?: Tx): Promise<Counted> {
    const [account, network] = await this.records.byIds(this.idsOf(attempt), { tx });
    return { account: account && failuresOf(account), network: network && failuresOf(network) };
  }

  async change(attempt: Attempt, rule: (before: Counted) => Counted): Promise<Counted> {
    const before = await this.read(attempt);
    if (isSame(before, rule(before))) return before;
    const counted = await this.locks.run(attempt.network, () =>
      this.store.transaction((tx) => this.changeIn(attempt, rule, tx)),
    );
    if (counted.account === null) await this.limitRecords();
    return counted;
  }

  async remove(accounts: readonly string[], tx: Tx): Promise<void> {
    await this.records.deleteMany(
      { account: { $in: accounts.map((account) => this.accountOf(account)) } },
      tx,
    );
  }

  private async changeIn(
    attempt: Attempt,
    rule: (before: Counted) => Counted,
    tx: Tx,
  ): Promise<Counted> {
    const [accountId, networkId] = this.idsOf(attempt);
    const before = await this.read(attempt, tx);
    const after = rule(before);
    if (after.account === null) await this.records.deleteOne({ _id: accountId }, tx);
    else if (after.account !== before.account)
      await this.write(accountId, this.accountOf(attempt.account), after.account, tx);
    if (after.network !== null && after.network !== before.network)
      await this.write(networkId, null, after.network, tx);
    return before;
  }

  private async write(
    _id: string,
    account: string | null,
    { expiresAt, ...failures }: Failures,
    tx: Tx,
  ): Promise<void> {
    const record = { ...failures, expiresAt: new Date(expiresAt) };
    await this.records.upsert({ _id }, { $set: { ...record, kind: this.kind, account } }, tx);
  }

  /** Accounts and networks may be invented: removes those that expire first. */
  private async limitRecords(): Promise<void> {
    this.added += 1;
    if (this.added < this.maxRecords * UNCHECKED) return;
    this.added = 0;
    const { kind } = this;
    const [first] = await this.records.find<Pick<AttemptRecord, 'expiresAt'>>(
      { kind },
      { sort: { expiresAt: -1 }, skip: this.maxRecords, limit: 1, fields: { expiresAt: 1 } },
    );
    if (first) await this.records.deleteMany({ kind, expiresAt: { $lte: first.expiresAt } });
  }

  private idsOf({ account, network }: Attempt): [string, string] {
    return [this.hash('failures', network, account), this.hash('network', network)];
  }

  private accountOf(account: string): string {
    return this.hash('account', account);
  }

  private hash(...parts: readonly string[]): string {
    const text = JSON.stringify(['hypha: attempts', this.kind, ...parts]);
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

const isSame = (one: Counted, other: Counted): boolean =>
  one.account === other.account && one.network === other.network;

const failuresOf = ({ count, times, lockedUntil, expiresAt }: AttemptRecord): Failures => ({
  count,
  times,
  lockedUntil,
  expiresAt: expiresAt.getTime(),
});

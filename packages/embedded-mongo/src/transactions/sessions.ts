import { Binary } from 'bson';
import { StoreError } from '../errors';
import type { NecessaryWrites } from '../directory/necessary-writes';
import type { Cursors } from '../query/cursors';
import type { Kv } from '../storage/kv';
import type { Doc } from '../values/values';
import type { Reply } from '../wire/messages';
import { Transaction, noSuchTransaction } from './transaction';

/** Measured from the last command, so that slow transactions are not aborted. */
const TRANSACTION_IDLE_MS = 60_000;
/** A transaction within this time after a conflict in the same session counts as its retry. */
const RETRY_MS = 10_000;
const SESSION_LIFETIME_MS = 30 * 60_000;

interface Session {
  usedAt: number;
  txnNumber: number;
  transaction?: Transaction;
  startedAt: number;
  /** Last retryable write: a repeated number gets the same reply instead of a second execution. */
  written?: { readonly txnNumber: number; readonly reply: Promise<Reply> };
}

/** What a command says about its session. */
export interface SessionFields {
  readonly session?: string;
  readonly txnNumber?: number;
  readonly inTransaction: boolean;
  readonly starts: boolean;
}

export function sessionFieldsOf(command: Doc): SessionFields {
  const id = (command.lsid as { id?: unknown } | undefined)?.id;
  if (command.lsid !== undefined && !(id instanceof Binary))
    throw new StoreError('FailedToParse', 'lsid.id must be a UUID');
  const inTransaction = command.autocommit === false;
  if (inTransaction && (id === undefined || command.txnNumber === undefined))
    throw new StoreError('InvalidOptions', 'a transaction needs lsid and txnNumber');
  return {
    session: id instanceof Binary ? id.toString('hex') : undefined,
    txnNumber: command.txnNumber === undefined ? undefined : Number(command.txnNumber),
    inTransaction,
    starts: command.startTransaction === true,
  };
}

/** Logical sessions with their transaction and last retryable write; in memory only. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly kv: Kv,
    private readonly cursors: Cursors,
    private readonly necessary: NecessaryWrites,
  ) {}

  /**
   * Returns the transaction of a command.
   * @throws StoreError 251 has ended, 225 a newer one started
   */
  transactionOf({
    session,
    txnNumber,
    inTransaction,
    starts,
  }: SessionFields): Transaction | undefined {
    if (!inTransaction || session === undefined || txnNumber === undefined) return undefined;
    const idleMs = Date.now() - (this.sessions.get(session)?.usedAt ?? 0);
    const state = this.touch(session);
    if (txnNumber < state.txnNumber) throw tooOld(txnNumber, state.txnNumber);
    if (starts) {
      if (state.transaction !== undefined && state.txnNumber === txnNumber)
        throw new StoreError(
          'ConflictingOperationInProgress',
          `Transaction ${txnNumber} has already been started`,
        );
      this.end(session, state);
      const lost = Date.now() - state.startedAt < RETRY_MS ? state.transaction?.lost : undefined;
      state.transaction = undefined;
      state.txnNumber = txnNumber;
      state.startedAt = Date.now();
      state.transaction = new Transaction(this.kv, txnNumber, this.necessary, lost);
      return state.transaction;
    }
    if (state.transaction === undefined || state.txnNumber !== txnNumber)
      throw noSuchTransaction(txnNumber);
    if (idleMs > TRANSACTION_IDLE_MS) this.abort(session, state);
    return state.transaction;
  }

  /**
   * Executes a retryable write once per number. A failed write is forgotten, since it wrote
   * nothing.
   */
  async once(
    { session, txnNumber, inTransaction }: SessionFields,
    execute: () => Promise<Reply>,
  ): Promise<Reply> {
    if (session === undefined || txnNumber === undefined || inTransaction) return execute();
    const state = this.touch(session);
    if (state.written?.txnNumber === txnNumber) return state.written.reply;
    if (txnNumber < state.txnNumber) throw tooOld(txnNumber, state.txnNumber);
    this.end(session, state);
    state.txnNumber = txnNumber;
    state.transaction = undefined;
    const reply = execute();
    const written = { txnNumber, reply };
    state.written = written;
    reply.catch(() => {
      if (state.written === written) state.written = undefined;
    });
    return reply;
  }

  /** Ends a transaction after an error of one of its commands. */
  abortTransaction({ session }: SessionFields): void {
    const state = session === undefined ? undefined : this.sessions.get(session);
    if (session !== undefined && state !== undefined) this.abort(session, state);
  }

  endSession(session: string): void {
    const state = this.sessions.get(session);
    if (state !== undefined) this.end(session, state);
    this.sessions.delete(session);
    this.cursors.killOf((owner) => owner === session || owner.startsWith(`${session}/`));
  }

  /** Aborts idle transactions and removes unused sessions. */
  expire(now: number): void {
    for (const [session, state] of this.sessions) {
      if (state.transaction?.state === 'active' && now - state.usedAt > TRANSACTION_IDLE_MS)
        this.abort(session, state);
      if (now - state.usedAt > SESSION_LIFETIME_MS) this.endSession(session);
    }
  }

  endAll(): void {
    for (const session of [...this.sessions.keys()]) this.endSession(session);
  }

  private touch(session: string): Session {
    const state = this.sessions.get(session) ?? { usedAt: 0, txnNumber: -1, startedAt: 0 };
    state.usedAt = Date.now();
    this.sessions.set(session, state);
    return state;
  }

  private end(session: string, state: Session): void {
    if (state.transaction?.state === 'active') this.abort(session, state);
  }

  private abort(session: string, state: Session): void {
    state.transaction?.abort();
    this.cursors.killOf((owner) => owner === `${session}/${state.txnNumber}`);
  }
}

const tooOld = (txnNumber: number, last: number): StoreError =>
  new StoreError(
    'TransactionTooOld',
    `Cannot use txnNumber ${txnNumber} because a newer one, ${last}, has been used in this session`,
  );

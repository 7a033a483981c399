import { Binary } from 'bson';
import { StoreError } from '../semantics/errors';
import { noSuchTransaction } from '../txn';
import type { Reply } from '../wire';
import { documentsOption } from './context';
import type { Command, Context } from './context';

const OK = { ok: 1 };

export const commitTransaction: Command = {
  options: ['recoveryToken'],
  transactional: true,
  async run(context) {
    const transaction = requireTransaction(context);
    if (transaction.state === 'aborted')
      throw noSuchTransaction(transaction.txnNumber, 'has been aborted');
    await transaction.commit();
    return OK;
  },
};

export const abortTransaction: Command = {
  options: ['recoveryToken'],
  transactional: true,
  async run(context) {
    const transaction = requireTransaction(context);
    if (transaction.state === 'committed')
      throw new StoreError(
        256,
        'TransactionCommitted',
        `Transaction ${transaction.txnNumber} has been committed`,
      );
    context.store.sessions.abortTransaction(context.session);
    return OK;
  },
};

export const endSessions: Command = {
  options: [],
  async run({ store, command }) {
    for (const session of documentsOption(command, 'endSessions'))
      if (session.id instanceof Binary) store.sessions.endSession(session.id.toString('hex'));
    return OK;
  },
};

export const ping: Command = { options: [], run: async () => OK };

/** Presents a replica set primary, so that the driver uses sessions, transactions and retries. */
export const hello: Command = {
  // The handshake lists client features; those missing in the reply are not used.
  options: 'any',
  run: async (): Promise<Reply> => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    setName: 'embedded',
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ok: 1,
  }),
};

function requireTransaction({ transaction }: Context): NonNullable<Context['transaction']> {
  if (transaction === undefined)
    throw new StoreError(125, 'CommandFailed', 'this command must be run in a transaction');
  return transaction;
}

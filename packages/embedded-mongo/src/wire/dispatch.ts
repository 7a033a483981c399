import type { Log } from '../log';
import { countOption } from '../commands/context';
import type { Command } from '../commands/context';
import { COMMANDS, GENERAL_OPTIONS, unsupportedCommand } from '../commands/table';
import { StoreError, unsupported } from '../errors';
import type { Store } from '../store';
import { CommandTimer } from '../time-slices';
import { sessionFieldsOf } from '../transactions/sessions';
import type { SessionFields } from '../transactions/sessions';
import { noSuchTransaction } from '../transactions/transaction';
import type { Doc } from '../values/values';
import type { Client } from './clients';
import { formatReply } from './messages';
import type { Message, Reply } from './messages';

/** Executes a message and returns the encoded reply. Errors become error replies. */
export async function dispatch(
  store: Store,
  message: Message,
  client: Client,
  log: Log,
): Promise<Buffer[]> {
  try {
    client.check(message.command);
    const reply = await execute(store, message.command, client.hasLeft);
    if (message.silent) logRejectedWrite(reply, message.command, log);
    return formatReply(message, reply);
  } catch (error) {
    const reply = failure(error, log, nameOf(message.command));
    if (message.silent) logRejectedWrite(reply, message.command, log);
    return formatReply(message, reply);
  }
}

/** Logs errors of writes without acknowledgement (`w: 0`), whose client gets no reply. */
function logRejectedWrite(reply: Reply, command: Doc, log: Log): void {
  const { errmsg, writeErrors } = reply as {
    errmsg?: string;
    writeErrors?: Array<{ errmsg: string }>;
  };
  const reason = errmsg ?? writeErrors?.[0]?.errmsg;
  if (reason !== undefined)
    log('warn', 'an unacknowledged write was rejected', {
      command: nameOf(command),
      error: reason,
      rejected: writeErrors?.length ?? 'all',
    });
}

const nameOf = (command: Doc): string => Object.keys(command)[0] ?? '';

async function execute(store: Store, command: Doc, abandoned: () => boolean): Promise<Reply> {
  const name = nameOf(command);
  const definition = COMMANDS.get(name);
  if (definition === undefined) throw unsupportedCommand(name);
  const session = sessionFieldsOf(command);
  requireKnownOptions(name, definition, command);
  requireConcerns(command, session);
  if (session.inTransaction && definition.transactional !== true) {
    throw unsupported(
      `the command "${name}" in a transaction is`,
      'OperationNotSupportedInTransaction',
    );
  }
  const run = (): Promise<Reply> => inSession(store, name, definition, command, session, abandoned);
  return definition.retryable === true ? store.sessions.once(session, run) : run();
}

/** An error aborts the transaction, as in MongoDB. */
async function inSession(
  store: Store,
  name: string,
  definition: Command,
  command: Doc,
  session: SessionFields,
  abandoned: () => boolean,
): Promise<Reply> {
  const transaction = store.sessions.transactionOf(session);
  const ends = name === 'commitTransaction' || name === 'abortTransaction';
  if (transaction !== undefined && transaction.state !== 'active' && !ends) {
    throw noSuchTransaction(
      transaction.txnNumber,
      transaction.state === 'committed' ? 'has been committed' : 'has been aborted',
    );
  }
  const timer = new CommandTimer(countOption(command, 'maxTimeMS'), abandoned);
  try {
    const reply = await definition.run({
      store,
      name,
      database: String(command.$db),
      command,
      session,
      transaction,
      timer,
    });
    if (transaction !== undefined && 'writeErrors' in reply)
      store.sessions.abortTransaction(session);
    return reply;
  } catch (error) {
    if (transaction !== undefined && !ends) store.sessions.abortTransaction(session);
    throw error;
  }
}

function requireKnownOptions(name: string, definition: Command, command: Doc): void {
  if (definition.options === 'any') return;
  for (const option of Object.keys(command)) {
    if (option !== name && !GENERAL_OPTIONS.has(option) && !definition.options.includes(option))
      throw unsupported(`the option "${option}" of ${name} is`);
  }
}

const READ_LEVELS = new Set<unknown>(['local', 'available', 'majority', 'linearizable', undefined]);

/** With one process, all read levels and all write concerns of one node are equivalent. */
function requireConcerns(command: Doc, session: SessionFields): void {
  const read = command.readConcern as Doc | undefined;
  if (read?.afterClusterTime !== undefined || read?.atClusterTime !== undefined)
    throw unsupported('reading at a cluster time is', 'InvalidOptions');
  if (!READ_LEVELS.has(read?.level) && !(read?.level === 'snapshot' && session.inTransaction)) {
    throw unsupported(`the read concern "${String(read?.level)}" here is`, 'InvalidOptions');
  }
  const w = (command.writeConcern as Doc | undefined)?.w;
  if (typeof w === 'number' && w > 1)
    throw unsupported(`the write concern w:${w} is`, 'UnsatisfiableWriteConcern');
  if (typeof w === 'string' && w !== 'majority')
    throw unsupported(`the write concern w:"${w}" is`, 'UnknownReplWriteConcern');
}

function failure(error: unknown, log: Log, name: string): Doc {
  const storeError = error instanceof StoreError ? error : unexpected(error, log, name);
  return {
    ok: 0,
    errmsg: storeError.message,
    code: storeError.code,
    codeName: storeError.codeName,
    ...(storeError.labels === undefined ? {} : { errorLabels: storeError.labels }),
    ...storeError.extra,
  };
}

function unexpected(error: unknown, log: Log, name: string): StoreError {
  const message = error instanceof Error ? error.message : String(error);
  log('error', 'a command of the embedded store failed', {
    command: name,
    error: error instanceof Error ? error.stack : message,
  });
  return new StoreError('InternalError', `the embedded store failed: ${message}`);
}

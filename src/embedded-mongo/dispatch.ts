import { countOption } from './commands/context';
import type { Command } from './commands/context';
import { COMMANDS, GENERAL_OPTIONS, refuseCommand } from './commands/table';
import { Pace } from './pace';
import { StoreError, unsupported } from './semantics/errors';
import type { Doc } from './semantics/values';
import { sessionFieldsOf } from './sessions';
import type { SessionFields } from './sessions';
import type { Store } from './store';
import { noSuchTransaction } from './txn';
import { formatReply } from './wire';
import type { Message, Reply } from './wire';

export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  detail?: Record<string, unknown>,
) => void;

/** Executes a message and returns the encoded reply. Errors become error replies. */
export async function dispatch(
  store: Store,
  message: Message,
  abandoned: () => boolean,
  log: Log,
): Promise<Buffer[]> {
  try {
    const reply = await execute(store, message.command, abandoned);
    if (message.silent) logRefusal(reply, message.command, log);
    return formatReply(message, reply);
  } catch (error) {
    const reply = failure(error, log, nameOf(message.command));
    if (message.silent) logRefusal(reply, message.command, log);
    return formatReply(message, reply);
  }
}

/** Logs errors of writes without acknowledgement (`w: 0`), whose client gets no reply. */
function logRefusal(reply: Reply, command: Doc, log: Log): void {
  const { errmsg, writeErrors } = reply as {
    errmsg?: string;
    writeErrors?: Array<{ errmsg: string }>;
  };
  const reason = errmsg ?? writeErrors?.[0]?.errmsg;
  if (reason !== undefined)
    log('warn', 'an unacknowledged write was refused', {
      command: nameOf(command),
      error: reason,
      refused: writeErrors?.length ?? 'all',
    });
}

const nameOf = (command: Doc): string => Object.keys(command)[0] ?? '';

async function execute(store: Store, command: Doc, abandoned: () => boolean): Promise<Reply> {
  const name = nameOf(command);
  const definition = COMMANDS.get(name);
  if (definition === undefined) throw refuseCommand(name);
  const session = sessionFieldsOf(command);
  requireKnownOptions(name, definition, command);
  requireConcerns(command, session);
  if (session.inTransaction && definition.transactional !== true) {
    throw unsupported(
      `the command "${name}" in a transaction is`,
      263,
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
  const pace = new Pace(countOption(command, 'maxTimeMS'), abandoned);
  try {
    const reply = await definition.run({
      store,
      name,
      database: String(command.$db),
      command,
      session,
      transaction,
      pace,
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
    throw unsupported('reading at a cluster time is', 72, 'InvalidOptions');
  if (!READ_LEVELS.has(read?.level) && !(read?.level === 'snapshot' && session.inTransaction)) {
    throw unsupported(`the read concern "${String(read?.level)}" here is`, 72, 'InvalidOptions');
  }
  const w = (command.writeConcern as Doc | undefined)?.w;
  if (typeof w === 'number' && w > 1)
    throw unsupported(`the write concern w:${w} is`, 100, 'UnsatisfiableWriteConcern');
  if (typeof w === 'string' && w !== 'majority')
    throw unsupported(`the write concern w:"${w}" is`, 79, 'UnknownReplWriteConcern');
}

function failure(error: unknown, log: Log, name: string): Doc {
  const known = error instanceof StoreError ? error : unexpected(error, log, name);
  return {
    ok: 0,
    errmsg: known.message,
    code: known.code,
    codeName: known.codeName,
    ...(known.labels === undefined ? {} : { errorLabels: known.labels }),
    ...known.extra,
  };
}

function unexpected(error: unknown, log: Log, name: string): StoreError {
  const message = error instanceof Error ? error.message : String(error);
  log('error', 'a command of the embedded store failed', {
    command: name,
    error: error instanceof Error ? error.stack : message,
  });
  return new StoreError(1, 'InternalError', `the embedded store failed: ${message}`);
}

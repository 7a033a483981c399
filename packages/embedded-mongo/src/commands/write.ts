import { StoreError, unsupported } from '../errors';
import { compileProjection } from '../query/projection';
import { encodeDocument } from '../storage/documents';
import { decodeDocument } from '../values/bson-elements';
import { isDocument } from '../values/values';
import type { Doc } from '../values/values';
import { deleteStatement, updateStatement } from '../write/statement';
import type { Statement, UpdateRequest } from '../write/statement';
import {
  documentOption,
  documentsOption,
  flagOption,
  rejectUnsupportedOptions,
  words,
} from './context';
import type { Command } from './context';
import { executeAll, executeOne } from './execute-writes';
import type { Task } from './execute-writes';

const MAX_STATEMENTS = 100_000;

const insert: Command = {
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  transactional: true,
  retryable: true,
  async run(context) {
    rejectUnsupportedOptions(context.command, 'insert');
    let n = 0;
    const writeErrors = await executeAll(
      context,
      'creates',
      statementsOf(context.command, 'documents').map((document) => ({ insert: document })),
      () => n++,
    );
    return { n, ...writeErrors, ok: 1 };
  },
};

const update: Command = {
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    rejectUnsupportedOptions(context.command, 'update');
    const requests = statementsOf(context.command, 'updates').map(updateRequest);
    let n = 0;
    let nModified = 0;
    const upserted: Doc[] = [];
    const tasks = requests.map((request) => orFailure(() => updateStatement(request)));
    const writeErrors = await executeAll(
      context,
      requests.some(({ upsert }) => upsert) ? 'creates' : 'changes',
      tasks,
      (index, result) => {
        n += result.matched + (result.upserted === undefined ? 0 : 1);
        nModified += result.modified;
        if (result.upserted !== undefined) upserted.push({ index, _id: result.upserted._id });
      },
    );
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...writeErrors, ok: 1 };
  },
};

const remove: Command = {
  options: ['deletes', 'ordered', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    rejectUnsupportedOptions(context.command, 'delete');
    const tasks = statementsOf(context.command, 'deletes')
      .map(deleteRequest)
      .map((request) => orFailure(() => deleteStatement(request)));
    let n = 0;
    const writeErrors = await executeAll(
      context,
      'changes',
      tasks,
      (_, { matched }) => (n += matched),
    );
    return { n, ...writeErrors, ok: 1 };
  },
};

const findAndModify: Command = {
  options: words(
    'query sort remove update new fields upsert bypassDocumentValidation collation let',
  ),
  transactional: true,
  retryable: true,
  async run(context) {
    const { command } = context;
    rejectUnsupportedOptions(command, 'findAndModify');
    const filter = documentOption(command, 'query') ?? {};
    const sort = documentOption(command, 'sort');
    const fields = documentOption(command, 'fields');
    const project =
      fields === undefined || Object.keys(fields).length === 0
        ? undefined
        : compileProjection(fields);
    const shown = (doc: Doc | undefined): Doc | null => {
      if (doc === undefined) return null;
      return project === undefined ? doc : decodeDocument(project(encodeDocument(doc)));
    };
    if (flagOption(command, 'remove')) {
      if (command.update !== undefined || flagOption(command, 'upsert'))
        throw new StoreError('FailedToParse', 'Cannot specify both an update and remove=true');
      const { matched, before } = await executeOne(
        context,
        'changes',
        deleteStatement({ filter, sort, limit: 1 }),
      );
      return { lastErrorObject: { n: matched }, value: shown(before), ok: 1 };
    }
    const request = updateRequest({ q: filter, u: command.update, upsert: command.upsert });
    const result = await executeOne(
      context,
      request.upsert ? 'creates' : 'changes',
      updateStatement({ ...request, sort }),
    );
    const upserted = result.upserted === undefined ? {} : { upserted: result.upserted._id };
    const n = result.matched + (result.upserted === undefined ? 0 : 1);
    return {
      lastErrorObject: { n, updatedExisting: result.matched > 0, ...upserted },
      value: shown(flagOption(command, 'new') ? result.after : result.before),
      ok: 1,
    };
  },
};

function statementsOf(command: Doc, option: string): Doc[] {
  const statements = documentsOption(command, option);
  if (statements.length === 0 || statements.length > MAX_STATEMENTS) {
    throw new StoreError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MAX_STATEMENTS}. Got ${statements.length} operations.`,
    );
  }
  return statements;
}

/** An invalid statement fails in order: statements before it are executed. */
function orFailure(compile: () => Statement): Task {
  try {
    return compile();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

const UPDATE_OPTIONS = new Set(['q', 'u', 'multi', 'upsert', 'collation']);
const DELETE_OPTIONS = new Set(['q', 'limit', 'collation']);

function updateRequest(statement: Doc): UpdateRequest {
  requireOptions(statement, UPDATE_OPTIONS, 'update');
  const filter = documentOption(statement, 'q') ?? {};
  const { u } = statement;
  if (!isDocument(u) && !Array.isArray(u))
    throw new StoreError('FailedToParse', 'Either an update or remove=true must be specified');
  const multi = flagOption(statement, 'multi');
  if (multi && isDocument(u) && !Object.keys(u)[0]?.startsWith('$'))
    throw new StoreError(
      'FailedToParse',
      'multi update is not supported for replacement-style update',
    );
  return { filter, update: u as Doc | Doc[], multi, upsert: flagOption(statement, 'upsert') };
}

function deleteRequest(statement: Doc): { filter: Doc; limit: number } {
  requireOptions(statement, DELETE_OPTIONS, 'delete');
  const limit = Number(statement.limit);
  if (limit !== 0 && limit !== 1)
    throw new StoreError(
      'FailedToParse',
      `The limit field in delete objects must be 0 or 1. Got ${String(statement.limit)}`,
    );
  return { filter: documentOption(statement, 'q') ?? {}, limit };
}

function requireOptions(statement: Doc, supported: ReadonlySet<string>, commandName: string): void {
  rejectUnsupportedOptions(statement, commandName);
  for (const option of Object.keys(statement)) {
    if (!supported.has(option)) throw unsupported(`the option "${option}" of ${commandName} is`);
  }
}

export const writeCommands = {
  insert,
  update,
  delete: remove,
  findAndModify,
  findandmodify: findAndModify,
};

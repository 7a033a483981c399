import { decodeDocument, encodeDocument } from '../documents';
import { StoreError, unsupported } from '../semantics/errors';
import { compileProjection } from '../semantics/project';
import { isDocument } from '../semantics/values';
import type { Doc } from '../semantics/values';
import { deleting, inserting, updating } from '../statements';
import type { Statement, UpdateRequest } from '../statements';
import { carryOut, carryOutOne } from './carry-out';
import type { Task } from './carry-out';
import { documentOption, documentsOption, flagOption, requireHarmless } from './context';
import type { Command } from './context';

const MOST_STATEMENTS = 100_000;

export const insert: Command = {
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  transactional: true,
  retryable: true,
  async run(context) {
    requireHarmless(context.command, 'insert');
    let n = 0;
    const writeErrors = await carryOut(
      context,
      'creates',
      statementsOf(context.command, 'documents').map(inserting),
      () => n++,
    );
    return { n, ...writeErrors, ok: 1 };
  },
};

export const update: Command = {
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    requireHarmless(context.command, 'update');
    const requests = statementsOf(context.command, 'updates').map(updateRequest);
    let n = 0;
    let nModified = 0;
    const upserted: Doc[] = [];
    const tasks = requests.map((request) => orFailure(() => updating(request)));
    const writeErrors = await carryOut(
      context,
      requests.some(({ upsert }) => upsert) ? 'creates' : 'changes',
      tasks,
      (index, done) => {
        n += done.matched + (done.upserted === undefined ? 0 : 1);
        nModified += done.modified;
        if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted._id });
      },
    );
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...writeErrors, ok: 1 };
  },
};

export const remove: Command = {
  options: ['deletes', 'ordered', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    requireHarmless(context.command, 'delete');
    const tasks = statementsOf(context.command, 'deletes')
      .map(deleteRequest)
      .map((request) => orFailure(() => deleting(request)));
    let n = 0;
    const writeErrors = await carryOut(context, 'frees', tasks, (_, { matched }) => (n += matched));
    return { n, ...writeErrors, ok: 1 };
  },
};

export const findAndModify: Command = {
  options: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'collation',
    'let',
  ],
  transactional: true,
  retryable: true,
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'findAndModify');
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
        throw new StoreError(9, 'FailedToParse', 'Cannot specify both an update and remove=true');
      const { matched, before } = await carryOutOne(
        context,
        'frees',
        deleting({ filter, sort, limit: 1 }),
      );
      return { lastErrorObject: { n: matched }, value: shown(before), ok: 1 };
    }
    const request = updateRequest({ q: filter, u: command.update, upsert: command.upsert });
    const done = await carryOutOne(
      context,
      request.upsert ? 'creates' : 'changes',
      updating({ ...request, sort }),
    );
    const upserted = done.upserted === undefined ? {} : { upserted: done.upserted._id };
    const n = done.matched + (done.upserted === undefined ? 0 : 1);
    return {
      lastErrorObject: { n, updatedExisting: done.matched > 0, ...upserted },
      value: shown(flagOption(command, 'new') ? done.after : done.before),
      ok: 1,
    };
  },
};

function statementsOf(command: Doc, option: string): Doc[] {
  const statements = documentsOption(command, option);
  if (statements.length === 0 || statements.length > MOST_STATEMENTS) {
    throw new StoreError(
      16,
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MOST_STATEMENTS}. Got ${statements.length} operations.`,
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
    throw new StoreError(9, 'FailedToParse', 'Either an update or remove=true must be specified');
  const multi = flagOption(statement, 'multi');
  if (multi && isDocument(u) && !Object.keys(u)[0]?.startsWith('$'))
    throw new StoreError(
      9,
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
      9,
      'FailedToParse',
      `The limit field in delete objects must be 0 or 1. Got ${String(statement.limit)}`,
    );
  return { filter: documentOption(statement, 'q') ?? {}, limit };
}

function requireOptions(statement: Doc, known: ReadonlySet<string>, where: string): void {
  requireHarmless(statement, where);
  for (const option of Object.keys(statement)) {
    if (!known.has(option)) throw unsupported(`the option "${option}" of ${where} is`);
  }
}

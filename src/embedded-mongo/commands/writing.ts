import { decodeDocument, encodeDocument } from '../documents';
import { StoreError, unsupported } from '../semantics/errors';
import { compileProjection } from '../semantics/project';
import { isDocument } from '../semantics/values';
import type { Doc } from '../semantics/values';
import { deleteDocuments, insertDocument, updateDocuments } from '../writes';
import type { DeleteStatement, UpdateStatement, Updated } from '../writes';
import { documentOption, documentsOption, flagOption, namespaceOf, requireHarmless, writing } from './context';
import type { Command, Context } from './context';

const MOST_STATEMENTS = 100_000;
const TIME_IS_UP = 50;

export const insert: Command = {
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  transactional: true,
  retryable: true,
  async run(context) {
    requireHarmless(context.command, 'insert');
    const documents = statementsOf(context.command, 'documents');
    const counts = { n: 0 };
    return writing(context, namespaceOf(context), 'creates', (view, collection) => {
      counts.n = 0;
      const writeErrors = eachStatement(context, documents, (doc) => {
        insertDocument(view, present(collection), doc);
        counts.n++;
      });
      return { ...counts, ...writeErrors, ok: 1 };
    });
  },
};

export const update: Command = {
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    requireHarmless(context.command, 'update');
    const statements = statementsOf(context.command, 'updates').map(updateStatement);
    const kind = statements.some(({ upsert }) => upsert) ? 'creates' : 'changes';
    return writing(context, namespaceOf(context), kind, (view, collection) => {
      let n = 0;
      let nModified = 0;
      const upserted: Doc[] = [];
      const writeErrors = eachStatement(context, statements, (statement, index) => {
        const done: Updated = collection === undefined ? { matched: 0, modified: 0 } : updateDocuments(view, collection, { ...statement, requireTime: context.pace.requireTime });
        n += done.matched + (done.upserted === undefined ? 0 : 1);
        nModified += done.modified;
        if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted._id });
      });
      return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...writeErrors, ok: 1 };
    });
  },
};

export const remove: Command = {
  options: ['deletes', 'ordered', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    requireHarmless(context.command, 'delete');
    const statements = statementsOf(context.command, 'deletes').map(deleteStatement);
    return writing(context, namespaceOf(context), 'frees', (view, collection) => {
      let n = 0;
      const writeErrors = eachStatement(context, statements, (statement) => {
        if (collection !== undefined) n += deleteDocuments(view, collection, { ...statement, requireTime: context.pace.requireTime }).length;
      });
      return { n, ...writeErrors, ok: 1 };
    });
  },
};

export const findAndModify: Command = {
  options: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'bypassDocumentValidation', 'collation', 'hint', 'let'],
  transactional: true,
  retryable: true,
  async run(context) {
    const { command } = context;
    requireHarmless(command, 'findAndModify');
    const filter = documentOption(command, 'query') ?? {};
    const sort = documentOption(command, 'sort');
    const fields = documentOption(command, 'fields');
    const project = fields === undefined || Object.keys(fields).length === 0 ? undefined : compileProjection(fields);
    const shown = (doc: Doc | undefined): Doc | null => {
      if (doc === undefined) return null;
      return project === undefined ? doc : decodeDocument(project(encodeDocument(doc)));
    };
    if (flagOption(command, 'remove')) {
      if (command.update !== undefined || flagOption(command, 'upsert')) throw new StoreError(9, 'FailedToParse', 'Cannot specify both an update and remove=true');
      return writing(context, namespaceOf(context), 'frees', (view, collection) => {
        const [found] = collection === undefined ? [] : deleteDocuments(view, collection, { filter, limit: 1, sort, requireTime: context.pace.requireTime });
        return { lastErrorObject: { n: found === undefined ? 0 : 1 }, value: shown(found?.doc), ok: 1 };
      });
    }
    const statement = updateStatement({ q: filter, u: command.update, upsert: command.upsert });
    return writing(context, namespaceOf(context), statement.upsert ? 'creates' : 'changes', (view, collection) => {
      const done: Updated = collection === undefined ? { matched: 0, modified: 0 } : updateDocuments(view, collection, { ...statement, sort, requireTime: context.pace.requireTime });
      const upserted = done.upserted === undefined ? {} : { upserted: done.upserted._id };
      const n = done.matched + (done.upserted === undefined ? 0 : 1);
      return { lastErrorObject: { n, updatedExisting: done.matched > 0, ...upserted }, value: shown(flagOption(command, 'new') ? done.after : done.before), ok: 1 };
    });
  },
};

function statementsOf(command: Doc, option: string): Doc[] {
  const statements = documentsOption(command, option);
  if (statements.length === 0 || statements.length > MOST_STATEMENTS) {
    throw new StoreError(16, 'InvalidLength', `Write batch sizes must be between 1 and ${MOST_STATEMENTS}. Got ${statements.length} operations.`);
  }
  return statements;
}

/** Error texts of one reply, in characters; the failures after that are told without, as MongoDB does it. */
const MOST_ERROR_TEXT = 1_000_000;

/** Runs the statements one by one; with `ordered` (the default) the first failure ends it. A conflict, or the end of its time, ends the whole command. */
function eachStatement<T>({ command }: Context, statements: readonly T[], run: (statement: T, index: number) => void): { writeErrors?: Doc[] } {
  const writeErrors: Doc[] = [];
  const ordered = flagOption(command, 'ordered', true);
  let text = 0;
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof StoreError) || error.labels !== undefined || error.code === TIME_IS_UP) throw error;
      text += error.message.length;
      writeErrors.push({ index, code: error.code, ...(text > MOST_ERROR_TEXT ? { errmsg: '' } : { errmsg: error.message, ...error.extra }) });
      if (ordered) break;
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors };
}

const UPDATE_OPTIONS = new Set(['q', 'u', 'multi', 'upsert', 'collation', 'hint']);
const DELETE_OPTIONS = new Set(['q', 'limit', 'collation', 'hint']);

function updateStatement(statement: Doc): UpdateStatement {
  requireOptions(statement, UPDATE_OPTIONS, 'update');
  const filter = documentOption(statement, 'q') ?? {};
  const { u } = statement;
  if (!isDocument(u) && !Array.isArray(u)) throw new StoreError(9, 'FailedToParse', 'Either an update or remove=true must be specified');
  const multi = flagOption(statement, 'multi');
  if (multi && isDocument(u) && !Object.keys(u)[0]?.startsWith('$')) throw new StoreError(9, 'FailedToParse', 'multi update is not supported for replacement-style update');
  return { filter, update: u as Doc | Doc[], multi, upsert: flagOption(statement, 'upsert') };
}

function deleteStatement(statement: Doc): DeleteStatement {
  requireOptions(statement, DELETE_OPTIONS, 'delete');
  const limit = Number(statement.limit);
  if (limit !== 0 && limit !== 1) throw new StoreError(9, 'FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${String(statement.limit)}`);
  return { filter: documentOption(statement, 'q') ?? {}, limit };
}

function requireOptions(statement: Doc, known: ReadonlySet<string>, where: string): void {
  requireHarmless(statement, where);
  for (const option of Object.keys(statement)) {
    if (!known.has(option)) throw unsupported(`the option "${option}" of ${where} is`);
  }
}

function present<T>(collection: T | undefined): T {
  if (collection === undefined) throw new Error('the collection is created before the writer runs');
  return collection;
}

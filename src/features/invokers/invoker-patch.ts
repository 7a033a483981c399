import type { Actor } from '../../platform/access/actor';
import type { Contained } from '../../platform/contained/tasks';
import { BadInput, NotFound, Unavailable } from '../../platform/errors/errors';
import { namedTwice } from '../../platform/errors/named-twice';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import { isXmlText } from '../../platform/xml/xml-text';
import type { BodyField, Invoker, InvokerBody, InvokerOperation } from './invoker';
import type { InvokerRecord } from './invoker.model';
import type { InvokerReading } from './invoker-reading';
import type { InvokerSources } from './invoker-sources';
import { sizeOf } from './invoker-tasks';
import type { InvokerTasks } from './invoker-tasks';
import type { InvokerWriting } from './invoker-writing';
import { writeInvoker } from './xml/write-invoker';

/** A field that is added to a body. */
export interface NewField {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** Fields that are added to an operation; the names are those of the released line. */
export interface FieldPatch {
  /** The operation. */
  readonly method: string;
  /** `(request)`, `(response.success)` or `(response.fail)`, and behind a dot the names of the fields around them. */
  readonly path: string;
  readonly fields: readonly NewField[];
}

/** An operation as it is now. */
export interface PatchedOperation {
  readonly row: InvokerRecord;
  readonly operation: InvokerOperation;
}

/** Who changes an invoker while others do begins again. */
const MOST_ATTEMPTS = 10;

const NEW_BODY: InvokerBody = { type: 'object', format: 'json', data: 'raw', fields: [], value: {} };
const PLACES = ['(request)', '(response.success)', '(response.fail)'] as const;
type Place = (typeof PLACES)[number];

/** Adding fields to the bodies of operations. */
export function createInvokerPatch({ reading, writing, sources, contained }: { reading: InvokerReading; writing: InvokerWriting; sources: InvokerSources; contained: Contained<InvokerTasks> }) {
  /** Null: somebody else changed the invoker since it was read. */
  const attemptOf = async (actor: Actor, name: string, patch: FieldPatch, expectedVersion: ExpectedVersion): Promise<InvokerRecord | null> => {
    const before = await reading.get(name);
    const file = { fileName: null, xml: await writeInvoker(patched(before, patch)), path: ['fields'] };
    const prepared = await contained.run('invoker', file, { size: sizeOf(file) });
    return writing.transaction(['name'], async (tx) => {
      const stored = await reading.getRow(name, tx);
      requireVersion('invoker', stored, expectedVersion);
      if (stored.version !== before.version) return null;
      return writing.replace(actor, stored, { ...prepared, said: { ...prepared.said, fileName: stored.fileName } }, 'IMPORTED', tx);
    });
  };

  return {
    /**
     * Adds fields to a body of an operation, or changes type and value of those it has. Answers the operation.
     * @throws NotFound INVOKER_NOT_FOUND, METHOD_NOT_FOUND_IN_INVOKER
     * @throws BadInput PATH_IS_INVALID no body there, or no object on the way; INVOKER_INVALID names or types that no field has; NAMED_TWICE
     * @throws Conflict CONFLICT another version than expected
     */
    async addFields(actor: Actor, name: string, patch: FieldPatch, expectedVersion?: ExpectedVersion): Promise<PatchedOperation> {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const row = await attemptOf(actor, name, patch, expectedVersion);
        if (row) return { row, operation: operationOf(await sources.definition(row.source) ?? await reading.get(name), patch.method) };
      }
      throw new Unavailable('Others change the invoker all the time. Try again.');
    },
  };
}

function operationOf({ name, operations }: Pick<Invoker, 'name' | 'operations'>, method: string): InvokerOperation {
  const operation = operations.find((one) => one.name === method);
  if (!operation) throw new NotFound('METHOD_NOT_FOUND_IN_INVOKER', `The invoker ${name} has no operation called ${method.slice(0, 255)}.`, { path: ['method'] });
  return operation;
}

function patched(invoker: Invoker, { method, path, fields }: FieldPatch): Invoker {
  const operation = operationOf(invoker, method);
  requireWritable(fields);
  const place = PLACES.find((beginning) => path === beginning || path.startsWith(`${beginning}.`));
  if (!place) throw new BadInput('PATH_IS_INVALID', `The path begins with ${PLACES.join(', ')}.`, { path: ['path'] });
  // `tickets[]` and `tickets[0]` are the same field.
  const names = path.slice(place.length + 1).split('.').filter((part) => part !== '').map((part) => part.replace(/\[[^[\]]*\]$/, ''));
  const change = (body: InvokerBody | null): InvokerBody => {
    const { fields: known, ...rest } = body ?? NEW_BODY;
    return { ...rest, fields: withFields(known, names, fields) };
  };
  return { ...invoker, operations: invoker.operations.map((one) => (one === operation ? changed(one, place, change) : one)) };
}

function changed(operation: InvokerOperation, place: Place, change: (body: InvokerBody | null) => InvokerBody): InvokerOperation {
  if (place === '(request)') return { ...operation, request: { ...operation.request, body: change(operation.request.body) } };
  const side = place === '(response.success)' ? 'success' : 'fail';
  const result = operation[side];
  if (!result) throw new BadInput('PATH_IS_INVALID', `The operation ${operation.name} says nothing of this answer.`, { path: ['path'] });
  return { ...operation, [side]: { ...result, body: change(result.body) } };
}

function withFields(known: readonly BodyField[], [name, ...rest]: readonly string[], added: readonly NewField[]): BodyField[] {
  if (name === undefined) return added.reduce<BodyField[]>((fields, field) => withField(fields, field), [...known]);
  const at = known.findIndex((field) => field.name === name);
  const around = known[at];
  if (!around || !['object', 'array'].includes(around.type)) throw new BadInput('PATH_IS_INVALID', `There is no object at ${name.slice(0, 255)}.`, { path: ['path'] });
  return known.with(at, { ...around, text: '', fields: withFields(around.fields, rest, added) });
}

function withField(fields: readonly BodyField[], { name, type, value }: NewField): BodyField[] {
  const at = fields.findIndex((field) => field.name === name);
  const within = ['object', 'array'].includes(type) ? fields[at]?.fields ?? [] : [];
  const field: BodyField = { name, type, text: within.length > 0 ? '' : value ?? '', fields: within };
  return at < 0 ? [...fields, field] : fields.with(at, field);
}

function requireWritable(fields: readonly NewField[]): void {
  const problems = fields.flatMap((field, at) => (['name', 'type', 'value'] as const).flatMap((part) => {
    const text = field[part] ?? '';
    if (part !== 'value' && text.trim() === '') return [{ code: 'INVOKER_INVALID' as const, path: ['fields', at, part], message: `The ${part} of the field is missing.` }];
    return isXmlText(text) ? [] : [{ code: 'INVOKER_INVALID' as const, path: ['fields', at, part], message: `The ${part} has characters that XML cannot hold.` }];
  }));
  if (problems.length > 0) throw new BadInput('INVOKER_INVALID', 'The fields do not fit.', { problems });
  const twice = namedTwice(fields.map(({ name }) => name), (at) => ['fields', at, 'name']);
  if (twice.length > 0) throw new BadInput('BAD_REQUEST', 'A field is there twice.', { problems: twice });
}

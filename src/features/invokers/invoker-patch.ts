import type { Actor } from '../../platform/access/actor';
import type { Contained } from '../../platform/contained/tasks';
import { BadInput, NotFound, Unavailable } from '../../platform/errors/errors';
import { namedTwice } from '../../platform/errors/findings';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { readXml } from '../../platform/xml/read-xml';
import type { XmlElement } from '../../platform/xml/read-xml';
import { isXmlText } from '../../platform/xml/write-xml';
import type { Invoker, InvokerOperation } from './invoker';
import type { InvokerRecord } from './invoker.model';
import type { InvokerReading } from './invoker-reading';
import type { InvokerSources } from './invoker-sources';
import { sizeOf } from './invoker-tasks';
import type { InvokerTasks } from './invoker-tasks';
import type { InvokerWriting } from './invoker-writing';
import { childrenOf } from './xml/elements';
import { writeInvoker } from './xml/write-invoker';

export interface NewField {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** Fields to add to an operation, with the names of the released line. */
export interface FieldPatch {
  /** Name of the operation. */
  readonly method: string;
  /**
   * `(request)`, `(response.success)` or `(response.fail)`, then the names of the enclosing fields,
   * separated by dots.
   */
  readonly path: string;
  readonly fields: readonly NewField[];
}

export interface PatchedOperation {
  readonly row: InvokerRecord;
  readonly operation: InvokerOperation;
}

/** Maximum number of attempts if the invoker is changed concurrently. */
const MOST_ATTEMPTS = 10;

const PLACES = ['(request)', '(response.success)', '(response.fail)'] as const;
type Place = (typeof PLACES)[number];

export function createInvokerPatch({
  reading,
  writing,
  sources,
  contained,
}: {
  reading: InvokerReading;
  writing: InvokerWriting;
  sources: InvokerSources;
  contained: Contained<InvokerTasks>;
}) {
  /** Returns null if the invoker was changed since it was read. */
  const attemptOf = async (
    actor: Actor,
    name: string,
    patch: FieldPatch,
    expectedVersion: ExpectedVersion,
  ): Promise<InvokerRecord | null> => {
    const { row: before, text } = await reading.source(name);
    const file = {
      fileName: null,
      xml: await writeInvoker(patched(before.name, await readXml(text), patch)),
      path: ['fields'],
    };
    const prepared = await contained.run('invoker', file, { size: sizeOf(file) });
    return writing.transaction(['name'], async (tx) => {
      const stored = await reading.getRow(name, tx);
      requireVersion('invoker', stored, expectedVersion);
      if (stored.version !== before.version) return null;
      return writing.replace(
        actor,
        stored,
        { ...prepared, said: { ...prepared.said, fileName: stored.fileName } },
        'IMPORTED',
        tx,
      );
    });
  };

  return {
    /**
     * Adds fields to a body of an operation, or changes type and value of existing ones. Returns
     * the operation.
     * @throws NotFound INVOKER_NOT_FOUND, METHOD_NOT_FOUND_IN_INVOKER
     * @throws BadInput PATH_IS_INVALID if there is no body or no object at the path;
     * INVOKER_INVALID for an invalid name or type; NAMED_TWICE
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    async addFields(
      actor: Actor,
      name: string,
      patch: FieldPatch,
      expectedVersion?: ExpectedVersion,
    ): Promise<PatchedOperation> {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const row = await attemptOf(actor, name, patch, expectedVersion);
        if (row)
          return {
            row,
            operation: operationOf(
              (await sources.definition(row.source)) ?? (await reading.get(name)),
              patch.method,
            ),
          };
      }
      throw new Unavailable('Others change the invoker all the time. Try again.');
    },
  };
}

function operationOf(
  { name, operations }: Pick<Invoker, 'name' | 'operations'>,
  method: string,
): InvokerOperation {
  const operation = operations.find((one) => one.name === method);
  if (!operation) throw operationNotFound(name, method);
  return operation;
}

const operationNotFound = (invoker: string, method: string): NotFound =>
  new NotFound(
    'METHOD_NOT_FOUND_IN_INVOKER',
    `The invoker ${invoker} has no operation called ${method.slice(0, 255)}.`,
    { path: ['method'] },
  );

const pathInvalid = (message: string): BadInput =>
  new BadInput('PATH_IS_INVALID', message, { path: ['path'] });

/** Changes the XML tree, not the parsed definition, so that nothing in the file is lost. */
function patched(
  invoker: string,
  root: XmlElement,
  { method, path, fields }: FieldPatch,
): XmlElement {
  const list = childrenOf(root, 'operations').find((one) => operationIn(one, method));
  const operation = list && operationIn(list, method);
  if (!operation) throw operationNotFound(invoker, method);
  requireWritable(fields);
  const place = PLACES.find((beginning) => path === beginning || path.startsWith(`${beginning}.`));
  if (!place) throw pathInvalid(`The path begins with ${PLACES.join(', ')}.`);
  // `tickets[]` and `tickets[0]` are the same field.
  const names = path
    .slice(place.length + 1)
    .split('.')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\[[^[\]]*\]$/, ''));
  const withBody = (parent: XmlElement): XmlElement => {
    const [body] = childrenOf(parent, 'body');
    const known = body ?? elementOf('body', {}, '');
    const attributes = Object.keys(known.attributes).length > 0 ? known.attributes : NEW_BODY;
    return replaced(parent, body, {
      ...known,
      attributes,
      children: withFields(known.children, names, fields),
    });
  };
  return replaced(
    root,
    list,
    replaced(list, operation, changed(operation, place, method, withBody)),
  );
}

const operationIn = (list: XmlElement, method: string): XmlElement | undefined =>
  childrenOf(list, 'operation').find(({ attributes }) => attributes.name?.trim() === method);

const NEW_BODY = { type: 'object', format: 'json', data: 'raw' };

const elementOf = (
  name: string,
  attributes: XmlElement['attributes'],
  text: string,
  children: readonly XmlElement[] = [],
): XmlElement => ({ name, attributes, text, children, line: 0, column: 0 });

const replaced = (
  parent: XmlElement,
  before: XmlElement | undefined,
  after: XmlElement,
): XmlElement => ({
  ...parent,
  children: before
    ? parent.children.map((child) => (child === before ? after : child))
    : [...parent.children, after],
});

function changed(
  operation: XmlElement,
  place: Place,
  method: string,
  change: (parent: XmlElement) => XmlElement,
): XmlElement {
  const [request] = childrenOf(operation, 'request');
  if (place === '(request)')
    return replaced(operation, request, change(request ?? elementOf('request', {}, '')));
  const [response] = childrenOf(operation, 'response');
  const [result] = childrenOf(response, place === '(response.success)' ? 'success' : 'fail');
  if (!response || !result)
    throw pathInvalid(`The operation ${method} says nothing of this answer.`);
  return replaced(operation, response, replaced(response, result, change(result)));
}

const isField = ({ name }: XmlElement): boolean => name === 'field';
const nameOf = ({ attributes }: XmlElement): string => attributes.name?.trim() ?? '';

function withFields(
  known: readonly XmlElement[],
  [name, ...rest]: readonly string[],
  added: readonly NewField[],
): readonly XmlElement[] {
  if (name === undefined) return added.reduce<readonly XmlElement[]>(withField, known);
  const at = known.findIndex((child) => isField(child) && nameOf(child) === name);
  const around = known[at];
  if (
    !around ||
    (!CONTAINERS.has(around.attributes.type?.trim() ?? '') && !around.children.some(isField))
  )
    throw pathInvalid(`There is no object at ${name.slice(0, 255)}.`);
  return known.with(at, {
    ...around,
    text: '',
    children: withFields(around.children, rest, added),
  });
}

const CONTAINERS: ReadonlySet<string> = new Set(['object', 'array']);

function withField(
  known: readonly XmlElement[],
  { name, type, value }: NewField,
): readonly XmlElement[] {
  const at = known.findIndex((child) => isField(child) && nameOf(child) === name);
  const children = CONTAINERS.has(type) ? (known[at]?.children ?? []) : [];
  const field = elementOf(
    'field',
    { ...known[at]?.attributes, name, type },
    children.length > 0 ? '' : (value ?? ''),
    children,
  );
  return at < 0 ? [...known, field] : known.with(at, field);
}

function requireWritable(fields: readonly NewField[]): void {
  const problems = fields.flatMap((field, at) =>
    (['name', 'type', 'value'] as const).flatMap((part) => {
      const text = field[part] ?? '';
      if (part !== 'value' && text.trim() === '')
        return [
          {
            code: 'INVOKER_INVALID' as const,
            path: ['fields', at, part],
            message: `The ${part} of the field is missing.`,
          },
        ];
      return isXmlText(text)
        ? []
        : [
            {
              code: 'INVOKER_INVALID' as const,
              path: ['fields', at, part],
              message: `The ${part} has characters that XML cannot hold.`,
            },
          ];
    }),
  );
  if (problems.length > 0)
    throw new BadInput('INVOKER_INVALID', 'The fields do not fit.', { problems });
  const twice = namedTwice(
    fields.map(({ name }) => name),
    (at) => ['fields', at, 'name'],
  );
  if (twice.length > 0)
    throw new BadInput('BAD_REQUEST', 'A field is there twice.', { problems: twice });
}

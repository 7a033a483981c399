import { BadInput, TooLarge } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { JsonObject } from '../document/json';
import { isJsonObject } from '../document/json';
import type { Pointer } from './pointer';
import { parsePointer } from './pointer';

/** One operation of a JSON patch (RFC 6902). */
export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer }
  | { readonly op: 'remove'; readonly path: Pointer };

/** Maximum number of operations in a patch. Editors send a few per change; for more, use PUT. */
export const MAX_OPERATIONS = 5_000;
const MAX_PROBLEMS = 20;

/**
 * Parses a patch. Members of an operation that RFC 6902 does not define are ignored.
 * @throws BadInput PATCH_INVALID the input is not a patch
 * @throws Refused  PATH_IS_INVALID a path is not a JSON pointer
 * @throws TooLarge too many operations
 */
export function parsePatch(input: unknown): Operation[] {
  if (!Array.isArray(input)) throw patchInvalid('A JSON patch is a list of operations.', []);
  if (input.length > MAX_OPERATIONS)
    throw new TooLarge(`A JSON patch has at most ${MAX_OPERATIONS} operations.`);
  const findings = new Findings();
  const operations: Operation[] = [];
  for (const [position, entry] of (input as unknown[]).entries()) {
    const operation = findings.ofSync(() => parseOperation(entry, position));
    if (operation) operations.push(operation);
    if (findings.count >= MAX_PROBLEMS) break;
  }
  findings.refuse();
  return operations;
}

function parseOperation(input: unknown, position: number): Operation {
  if (!isJsonObject(input)) throw patchInvalid('An operation is a JSON object.', [position]);
  const { op } = input;
  const path = parsePointer(fieldOf(input, 'path'), [position, 'path']);
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      if (!Object.hasOwn(input, 'value'))
        throw patchInvalid(`The operation ${op} needs a value.`, [position, 'value']);
      return { op, path, value: input.value };
    case 'move':
    case 'copy':
      return { op, path, from: parsePointer(fieldOf(input, 'from'), [position, 'from']) };
    case 'remove':
      return { op, path };
    default:
      throw patchInvalid('An operation is add, remove, replace, move, copy or test.', [
        position,
        'op',
      ]);
  }
}

const fieldOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const patchInvalid = (message: string, path: InputPath): BadInput =>
  new BadInput('PATCH_INVALID', message, { path });

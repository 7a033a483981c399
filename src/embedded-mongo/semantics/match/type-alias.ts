import { badValue } from '../errors';
import { exactInteger } from '../numbers';
import { typeName } from '../values';
import type { TypeName } from '../values';

const typeNumbers: ReadonlyMap<number, TypeName> = new Map<number, TypeName>([
  [1, 'double'], [2, 'string'], [3, 'object'], [4, 'array'], [5, 'binData'], [6, 'undefined'], [7, 'objectId'], [8, 'bool'], [9, 'date'],
  [10, 'null'], [11, 'regex'], [12, 'dbPointer'], [13, 'javascript'], [14, 'symbol'], [15, 'javascriptWithScope'], [16, 'int'],
  [17, 'timestamp'], [18, 'long'], [19, 'decimal'], [-1, 'minKey'], [127, 'maxKey'],
]);
const aliases = new Set<string>(typeNumbers.values());
const numbers: readonly TypeName[] = ['int', 'long', 'double', 'decimal'];

/**
 * The test of `$type`: a number, an alias, or an array of them.
 * @throws StoreError 2 for an unknown alias or number
 */
export function compileType(operand: unknown): (value: unknown) => boolean {
  const wanted = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(namesOf));
  if (wanted.size === 0) throw badValue('$type must match at least one type');
  return (value) => value !== undefined && wanted.has(typeName(value));
}

function namesOf(type: unknown): readonly string[] {
  if (typeof type === 'string') {
    if (type === 'number') return numbers;
    if (!aliases.has(type)) throw badValue(`Unknown type name alias: ${type}`);
    return [type];
  }
  const code = exactInteger(type);
  const name = code === undefined ? undefined : typeNumbers.get(code);
  if (name !== undefined) return [name];
  if (code === undefined && typeof type !== 'number') throw badValue('type must be represented as a number or a string');
  throw badValue(`Invalid numerical type code: ${String(type)}`);
}

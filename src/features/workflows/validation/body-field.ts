import { isJsonObject } from '../json';

/** One name with brackets behind it: `items[0]`, `rows[*]`, `[i]`. */
const PART = /^([^[\]]*)((?:\[[^\]]*\])*)~?$/;
/** Longest path that is looked for; a longer one is taken to be there. */
const LONGEST = 1_000;
/** Elements of a list that are looked into. */
const MOST_ELEMENTS = 100;

/**
 * May a body have this field? Only what is certainly missing is not there: what stands under a text or a reference is known to nobody
 * before a run, attributes of XML and paths nobody can read are taken to be there.
 */
export function hasField(fields: unknown, path: string): boolean {
  if (path.length > LONGEST) return true;
  if (fields === undefined || fields === null) return path === '';
  let found: unknown[] = [fields];
  for (const part of path.replace(/^\$(?:\.|$)/, '').split('.')) {
    const match = PART.exec(part);
    if (!match || part.startsWith('@') || part.startsWith('__oc__') || part === '$') return true;
    if (found.some((value) => !isJsonObject(value) && !Array.isArray(value))) return true;
    const [, name = '', brackets = ''] = match;
    if (name !== '') found = found.flatMap((value) => fieldsNamed(value, name));
    for (const inside of brackets === '' ? [] : brackets.slice(1, -1).split('][')) found = found.flatMap((value) => elementsOf(value, inside));
    if (found.length === 0) return false;
  }
  return true;
}

function fieldsNamed(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS).flatMap((item) => fieldsNamed(item, name));
  if (!isJsonObject(value)) return [value];
  return Object.hasOwn(value, name) ? [value[name]] : [];
}

/** In the editors a body shows one element of each list, whatever index a path has. */
function elementsOf(value: unknown, inside: string): unknown[] {
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS);
  const key = /^'(.*)'$/.exec(inside)?.[1];
  if (key !== undefined && isJsonObject(value)) return fieldsNamed(value, key);
  return [value];
}

import type { Steps, Turn } from '../../../platform/json/turns';
import { isSecretParameter, MASK } from '../../../platform/secrets';
import { isJsonObject, knownValuesOf, maskValue } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

/**
 * What of a document leaves the installation. `workflow`: whatever is hidden from those who may not change the workflow is left out. `file`:
 * the headers that somebody wrote into a template stay, unless their names say that they are secret.
 */
export type Origin = 'workflow' | 'file';

export interface WithoutSecrets {
  readonly document: JsonObject;
  /** Where something was left out: `fromConnector.methods.0.request.header.Authorization`. */
  readonly leftOut: readonly string[];
}

/** Places that are told. */
const MOST_PLACES = 200;
const LONGEST_PLACE = 300;
const HEADERS = new Set(['header', 'headers']);

/** Empty texts in the places of secrets; references to them stay, since they say names and no values. `text` rewrites all other texts. */
export function* leaveOutSecrets(
  document: JsonObject,
  origin: Origin,
  text: (value: string) => string,
  turn: Turn,
): Steps<WithoutSecrets> {
  const masked = yield* maskValue(
    document,
    'names',
    turn,
    yield* knownValuesOf([document], turn, origin === 'workflow'),
  );
  const leftOut: string[] = [];
  const note = (path: readonly string[]): string => {
    if (leftOut.length < MOST_PLACES)
      leftOut.push(path.join('.').slice(0, LONGEST_PLACE).toWellFormed());
    return '';
  };

  function* cleaned(
    value: unknown,
    hidden: unknown,
    path: readonly string[],
    mayStay: boolean,
  ): Steps<unknown> {
    if (turn.over) yield;
    if (typeof value === 'string') {
      if (value === hidden && !value.includes(MASK)) return text(value);
      if (mayStay && !value.includes(MASK)) return text(value);
      note(path);
      return text((typeof hidden === 'string' ? hidden : '').replaceAll(MASK, ''));
    }
    if (value === null || typeof value !== 'object')
      return value !== hidden && hidden === MASK && !mayStay ? note(path) : value;
    if (hidden === MASK) return mayStay ? value : note(path);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const [at, entry] of value.entries())
        list.push(
          yield* cleaned(
            entry,
            (hidden as unknown[])[at],
            [...path, String(at)],
            mayStay && nameIn(entry) === null,
          ),
        );
      return list;
    }
    const fields: [string, unknown][] = [];
    for (const [name, field] of Object.entries(value as JsonObject)) {
      fields.push([
        name,
        yield* cleaned(
          field,
          (hidden as JsonObject)[name],
          [...path, name],
          origin === 'file' && isPublic(value as JsonObject, name, path),
        ),
      ]);
    }
    return Object.fromEntries(fields);
  }

  return { document: (yield* cleaned(document, masked, [], false)) as JsonObject, leftOut };
}

/** May the field of an object stay, as a header that names no secret? */
function isPublic(object: JsonObject, name: string, path: readonly string[]): boolean {
  const isHeader = path.slice(-2).some((part) => HEADERS.has(part.toLowerCase()));
  return isHeader && !isSecretParameter(name === 'value' ? (nameIn(object) ?? name) : name);
}

/** `{ name: 'X-Key', value: '…' }`: the name of what is written as a pair. */
function nameIn(value: unknown): string | null {
  if (!isJsonObject(value) || !('value' in value)) return null;
  return [value.name, value.key].find((name) => typeof name === 'string') ?? null;
}

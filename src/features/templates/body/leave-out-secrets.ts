import type { Yielding, TimeSlice } from '../../../platform/event-loop';
import { MASK } from '../../../platform/redaction';
import { isSecretParameter } from '../../../platform/secrets';
import { isJsonObject, knownValuesOf, maskValue } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';

/**
 * Decides what is removed. `workflow`: everything that is masked for users without the update
 * permission. `file`: header values stay unless their names indicate secrets.
 */
export type Origin = 'workflow' | 'file';

interface WithoutSecrets {
  readonly document: JsonObject;
  /** Paths of removed values, such as `fromConnector.methods.0.request.header.Authorization`. */
  readonly leftOut: readonly string[];
}

/** Maximum number of paths reported. */
const MAX_PATHS = 200;
const MAX_PATH_LENGTH = 300;
const HEADERS = new Set(['header', 'headers']);

/**
 * Replaces secrets by empty texts. References to secrets stay: they contain names, not values.
 * `text` rewrites all other texts.
 */
export function* leaveOutSecrets(
  document: JsonObject,
  origin: Origin,
  text: (value: string) => string,
  slice: TimeSlice,
): Yielding<WithoutSecrets> {
  const masked = yield* maskValue(
    document,
    'names',
    slice,
    yield* knownValuesOf([document], slice, origin === 'workflow'),
  );
  const leftOut: string[] = [];
  const leaveOut = (path: readonly string[]): string => {
    if (leftOut.length < MAX_PATHS)
      leftOut.push(path.join('.').slice(0, MAX_PATH_LENGTH).toWellFormed());
    return '';
  };

  function* clean(
    value: unknown,
    hidden: unknown,
    path: readonly string[],
    isPublicValue: boolean,
  ): Yielding<unknown> {
    if (slice.over) yield;
    if (typeof value === 'string') {
      if (value === hidden && !value.includes(MASK)) return text(value);
      if (isPublicValue && !value.includes(MASK)) return text(value);
      leaveOut(path);
      return text((typeof hidden === 'string' ? hidden : '').replaceAll(MASK, ''));
    }
    if (value === null || typeof value !== 'object')
      return value !== hidden && hidden === MASK && !isPublicValue ? leaveOut(path) : value;
    if (hidden === MASK) return isPublicValue ? value : leaveOut(path);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const [at, entry] of value.entries())
        list.push(
          yield* clean(
            entry,
            (hidden as unknown[])[at],
            [...path, String(at)],
            isPublicValue && nameIn(entry) === null,
          ),
        );
      return list;
    }
    const fields: [string, unknown][] = [];
    for (const [name, field] of Object.entries(value as JsonObject)) {
      fields.push([
        name,
        yield* clean(
          field,
          (hidden as JsonObject)[name],
          [...path, name],
          origin === 'file' && isPublic(value as JsonObject, name, path),
        ),
      ]);
    }
    return Object.fromEntries(fields);
  }

  return { document: (yield* clean(document, masked, [], false)) as JsonObject, leftOut };
}

/** Returns whether a field is a header whose name does not indicate a secret. */
function isPublic(object: JsonObject, name: string, path: readonly string[]): boolean {
  const isHeader = path.slice(-2).some((part) => HEADERS.has(part.toLowerCase()));
  return isHeader && !isSecretParameter(name === 'value' ? (nameIn(object) ?? name) : name);
}

/** The name of a name/value pair such as `{ name: 'X-Key', value: '…' }`. */
function nameIn(value: unknown): string | null {
  if (!isJsonObject(value) || !('value' in value)) return null;
  return [value.name, value.key].find((name) => typeof name === 'string') ?? null;
}

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
export function leaveOutSecrets(
  document: JsonObject,
  origin: Origin,
  text: (value: string) => string,
): WithoutSecrets {
  const values = knownValuesOf([document], origin === 'workflow');
  const masked = maskValue(document, 'names', values);
  const removal = new SecretRemoval(origin, text);
  const cleaned = removal.clean(document, masked, [], false);
  return { document: cleaned as JsonObject, leftOut: removal.leftOut };
}

class SecretRemoval {
  readonly leftOut: string[] = [];

  constructor(
    private readonly origin: Origin,
    private readonly text: (value: string) => string,
  ) {}

  /** @param hidden the masked value */
  clean(value: unknown, hidden: unknown, path: readonly string[], isPublicValue: boolean): unknown {
    if (typeof value === 'string') return this.cleanText(value, hidden, path, isPublicValue);
    if (value === null || typeof value !== 'object')
      return value !== hidden && hidden === MASK && !isPublicValue ? this.leaveOut(path) : value;
    if (hidden === MASK) return isPublicValue ? value : this.leaveOut(path);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const [at, entry] of value.entries()) {
        const isPublicEntry = isPublicValue && nameIn(entry) === null;
        const place = [...path, String(at)];
        list.push(this.clean(entry, (hidden as unknown[])[at], place, isPublicEntry));
      }
      return list;
    }
    const fields: [string, unknown][] = [];
    for (const [name, field] of Object.entries(value as JsonObject)) {
      const isPublicField = this.origin === 'file' && isPublic(value as JsonObject, name, path);
      const place = [...path, name];
      fields.push([name, this.clean(field, (hidden as JsonObject)[name], place, isPublicField)]);
    }
    return Object.fromEntries(fields);
  }

  private cleanText(
    value: string,
    hidden: unknown,
    path: readonly string[],
    isPublicValue: boolean,
  ): string {
    if ((isPublicValue || value === hidden) && !value.includes(MASK)) return this.text(value);
    this.leaveOut(path);
    return this.text((typeof hidden === 'string' ? hidden : '').replaceAll(MASK, ''));
  }

  private leaveOut(path: readonly string[]): string {
    if (this.leftOut.length < MAX_PATHS)
      this.leftOut.push(path.join('.').slice(0, MAX_PATH_LENGTH).toWellFormed());
    return '';
  }
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

import { BadInput, Refused } from '../../platform/errors/errors';
import { isSame } from '../../platform/config-file/changes';
import type { Change } from '../../platform/config-file/changes';
import type { ConfigText } from '../../platform/config-file/config-node';
import type { Value } from '../../platform/config-file/parse-yaml';
import { MASK } from '../../platform/redaction';
import type { ConfigMask } from './shown-config';

/** A node as clients send it: with a value, or nodes below it. */
export interface SentNode {
  readonly path: string;
  readonly key?: string | undefined;
  readonly status?: 'active' | 'inactive' | undefined;
  readonly value?: unknown;
}

const MAX_NODES = 20_000;
const MAX_DEPTH = 50;

const isNode = (value: unknown): value is SentNode =>
  typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string';

/**
 * Returns the changes that the nodes ask for. What is sent as it was shown is no change.
 * @throws BadInput for a value that no configuration has
 * @throws Refused SECRET_NOT_STORED for a mask where nothing is hidden
 */
export function changesOf(sent: readonly SentNode[], text: ConfigText, mask: ConfigMask): Change[] {
  const changes: Change[] = [];
  let count = 0;
  const collect = (nodes: readonly SentNode[], depth: number): void => {
    for (const { path, key, status, value } of nodes) {
      count += 1;
      if (count > MAX_NODES || depth > MAX_DEPTH)
        throw new BadInput('BAD_REQUEST', 'There are too many fields.');
      const below = Array.isArray(value) && value.length > 0 && value.every(isNode) ? value : null;
      const change = {
        path,
        key,
        status,
        value: below === null ? valueOf(path, value) : undefined,
      };
      const different = withoutUnchanged(change, text, mask);
      if (different !== null) changes.push(different);
      if (below !== null) collect(below, depth + 1);
    }
  };
  collect(sent, 0);
  return changes;
}

function valueOf(path: string, value: unknown): Value | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((each) => valueOf(path, each) ?? null);
  throw new BadInput(
    'BAD_REQUEST',
    `${path}: the value must be a text, a number, true, false, null, or a list of these.`,
  );
}

/** Null if nothing differs. */
function withoutUnchanged(change: Change, text: ConfigText, mask: ConfigMask): Change | null {
  const { path, status } = change;
  const node = text.byPath.get(path);
  let { value } = change;
  if (node !== undefined) {
    const hasKeys = node.children.length > 0 && !node.kind.endsWith('list');
    const isEmptyList = Array.isArray(value) && value.length === 0 && hasKeys;
    // Containers are sent with null, or an empty list, by clients that know no other value for them.
    if (
      value !== undefined &&
      ((hasKeys && value === null) || isEmptyList || isSame(value, mask.valueOf(node)))
    )
      value = undefined;
  }
  if (value !== undefined) value = unmasked(path, value, node?.value());
  if (node !== undefined && value === undefined && (status === undefined || status === node.status))
    return null;
  return { ...change, value, status: status ?? node?.status ?? 'active' };
}

/** Puts stored entries in the place of their masks. */
function unmasked(path: string, value: Value, stored: Value | undefined): Value {
  if (Array.isArray(value))
    return (value as readonly Value[]).map((each, index) =>
      unmasked(path, each, Array.isArray(stored) ? (stored as readonly Value[])[index] : undefined),
    );
  if (typeof value !== 'string' || !value.includes(MASK)) return value;
  if (value === MASK && stored !== undefined && stored !== null && typeof stored !== 'object')
    return stored;
  throw new Refused(
    'SECRET_NOT_STORED',
    `${path}: the value contains ${MASK} where no hidden value is stored. Enter the complete value.`,
  );
}

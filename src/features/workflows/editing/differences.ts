import { isJsonObject, isSameJson } from '../document/json';
import type { JsonObject } from '../document/json';
import type { Rule } from '../masking/document-rules';
import { ruleOfField } from '../masking/document-rules';
import type { KnownValues } from '../masking/known-values';
import { knownValuesOf } from '../masking/known-values';
import { maskValue } from '../masking/mask-document';
import type { WorkflowDocument } from '../document/workflow-document';
import type { Difference } from './change';
import { listDifferences } from './change';
import { partIdOf } from '../document/part-ids';
import { TWO_CONTAINERS } from '../document/two-containers';
import { printPointer } from './pointer';

export const DIFFERENCE_KINDS = {
  ADDED: 'It is only in the later version.',
  REMOVED: 'It is only in the earlier version.',
  MOVED: 'Its position in the order of execution differs.',
  CHANGED: 'It is in both versions and differs.',
} as const;
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

/** A changed field of a step, binding or document. */
export interface FieldDifference {
  /** JSON Pointer (RFC 6901) below the step, binding or document it belongs to. */
  readonly path: string;
  readonly kind: DifferenceKind;
  /** Null if absent. Secrets are `***` for every user. */
  readonly before: unknown;
  readonly after: unknown;
  /** True if part of the value is masked. */
  readonly masked: boolean;
}

/** A step or binding that differs between two versions. */
export interface PartDifference {
  /**
   * Id of the step or binding; parts that share an id, or have none, are matched by their order.
   */
  readonly partId: string | null;
  readonly kinds: readonly DifferenceKind[];
  /** Index before and after; null for a binding, and in the version without this step. */
  readonly indexBefore: string | null;
  readonly index: string | null;
  readonly name: string | null;
  /** The whole part if it was removed or added, secrets masked; else null. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** Changed fields of a part that is in both versions, except its index. */
  readonly fields: readonly FieldDifference[];
}

/**
 * The differences of two documents of a workflow. Empty if they are equal, apart from the order of
 * object fields and of the steps and bindings in their lists.
 */
export interface DocumentDiff {
  readonly methods: readonly PartDifference[];
  readonly operators: readonly PartDifference[];
  readonly bindings: readonly PartDifference[];
  /** Differences outside of steps and bindings. */
  readonly fields: readonly FieldDifference[];
  /** False if there are more differences than reported. */
  readonly complete: boolean;
}

/** Maximum number of differences in one diff, over steps, bindings and fields. */
const MAX_DIFFERENCES = 10_000;

/** Shared by all parts of a diff. */
interface DiffProgress {
  /** The number of differences that may still be reported. */
  left: number;
  /** Values that are masked wherever they occur. */
  readonly known: KnownValues;
}

/** Compares two documents. Secrets are masked: the diff shows only that they changed. */
export function compareDocuments(before: WorkflowDocument, after: WorkflowDocument): DocumentDiff {
  const secrets = knownValuesOf([before, after]);
  const progress: DiffProgress = { left: MAX_DIFFERENCES, known: secrets };
  const [old, now] = [splitParts(before), splitParts(after)];
  return {
    methods: partDifferences(old.methods, now.methods, progress),
    operators: partDifferences(old.operators, now.operators, progress),
    bindings: partDifferences(old.bindings, now.bindings, progress),
    fields: fieldDifferences(old.rest, now.rest, progress),
    complete: progress.left > 0,
  };
}

/** Leaves out the notes on two containers, which follow from the rest. */
function splitParts(document: WorkflowDocument): {
  readonly methods: readonly JsonObject[];
  readonly operators: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
  readonly rest: JsonObject;
} {
  const { fromConnector, fieldBinding, [TWO_CONTAINERS]: _notes, ...rest } = document;
  const { methods, operators, ...container } = fromConnector;
  return {
    methods,
    operators,
    bindings: fieldBinding.filter(isJsonObject),
    rest: { ...rest, fromConnector: container },
  };
}

/**
 * Lists the differences of two objects, see `listDifferences`. Values are compared unmasked and
 * returned masked, so a changed secret is reported but not shown.
 * @param secrets values that are masked wherever they occur
 */
export function valueDifferences(
  before: JsonObject,
  after: JsonObject,
  most: number,
  secrets: KnownValues,
): Difference[] {
  return listDifferences(before, after, most).map((difference) =>
    maskDifference(difference, before, after, secrets),
  );
}

function maskDifference(
  { path, ...values }: Difference,
  before: JsonObject,
  after: JsonObject,
  secrets: KnownValues,
): Difference {
  return {
    path,
    before: maskValue(values.before, ruleAt(before, path), secrets),
    after: maskValue(values.after, ruleAt(after, path), secrets),
  };
}

function ruleAt(root: JsonObject, path: Difference['path']): Rule {
  let rule: Rule = 'names';
  let value: unknown = root;
  for (const name of path) {
    if (isJsonObject(value)) rule = ruleOfField(rule, String(name), value);
    value = (value as JsonObject)[name];
  }
  return rule;
}

/** Lists the changed fields of two objects, secrets masked. */
function fieldDifferences(
  before: JsonObject,
  after: JsonObject,
  progress: DiffProgress,
): FieldDifference[] {
  const { known: secrets } = progress;
  const differences: FieldDifference[] = [];
  for (const difference of listDifferences(before, after, progress.left)) {
    const masked = maskDifference(difference, before, after, secrets);
    differences.push({
      path: printPointer(difference.path),
      kind: kindOf(difference),
      before: masked.before ?? null,
      after: masked.after ?? null,
      masked:
        !isSameJson(masked.before, difference.before) ||
        !isSameJson(masked.after, difference.after),
    });
  }
  progress.left -= differences.length;
  return differences;
}

function kindOf({ before, after }: Difference): DifferenceKind {
  if (before === undefined) return 'ADDED';
  return after === undefined ? 'REMOVED' : 'CHANGED';
}

/**
 * Compares two lists of steps or bindings by id. Order: removed parts, then added and changed parts
 * in the order of the later list.
 */
function partDifferences(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  progress: DiffProgress,
): PartDifference[] {
  const [old, now] = [byKey(before), byKey(after)];
  const differences: PartDifference[] = [];
  for (const [key, part] of old) {
    if (now.has(key) || (progress.left -= 1) < 0) continue;
    differences.push({
      ...describePart(part, progress),
      kinds: ['REMOVED'],
      indexBefore: indexOf(part),
      before: maskPart(part, progress),
    });
  }
  for (const [key, part] of now) {
    const previous = old.get(key);
    if (previous) {
      const difference = comparePart(previous, part, progress);
      if (difference) differences.push(difference);
    } else if ((progress.left -= 1) >= 0)
      differences.push({
        ...describePart(part, progress),
        kinds: ['ADDED'],
        index: indexOf(part),
        after: maskPart(part, progress),
      });
  }
  return differences;
}

function comparePart(
  before: JsonObject,
  after: JsonObject,
  progress: DiffProgress,
): PartDifference | null {
  if (before === after || progress.left <= 0 || isSameJson(before, after)) return null;
  const [from, to] = [indexOf(before), indexOf(after)];
  const isMoved = from !== null && to !== null && from !== to;
  const fields = fieldDifferences(
    isMoved ? withoutIndex(before) : before,
    isMoved ? withoutIndex(after) : after,
    progress,
  );
  if (isMoved) progress.left -= 1;
  return {
    ...describePart(after, progress),
    kinds: [
      ...(isMoved ? ['MOVED' as const] : []),
      ...(fields.length > 0 ? ['CHANGED' as const] : []),
    ],
    indexBefore: from,
    index: to,
    fields,
  };
}

/** Keys parts by id, and by their order among parts with the same or no id. */
function byKey(parts: readonly JsonObject[]): Map<string, JsonObject> {
  const counts = new Map<string, number>();
  return new Map(
    parts.map((part) => {
      const id = partIdOf(part) ?? '';
      const nth = counts.get(id) ?? 0;
      counts.set(id, nth + 1);
      return [`${nth} of ${id}`, part];
    }),
  );
}

const indexOf = ({ index }: JsonObject): string | null => textOrNull(index);
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const withoutIndex = ({ index: _index, ...fields }: JsonObject): JsonObject => fields;

/** The id and name of a part, and the other fields of its difference, empty. */
function describePart(
  part: JsonObject,
  { known: secrets }: DiffProgress,
): Omit<PartDifference, 'kinds'> {
  const name = textOrNull(part.label) ?? textOrNull(part.name);
  return {
    partId: partIdOf(part),
    name: name === null ? textOrNull(part.type) : secrets.hidden(name),
    index: null,
    indexBefore: null,
    before: null,
    after: null,
    fields: [],
  };
}

function maskPart(part: JsonObject, { known: secrets }: DiffProgress): JsonObject {
  const masked = maskValue(part, 'names', secrets);
  return isJsonObject(masked) ? masked : {};
}

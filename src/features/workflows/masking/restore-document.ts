import type { Problem } from '../../../platform/errors/errors';
import { Refused } from '../../../platform/errors/errors';
import { MASK } from '../../../platform/redaction';
import { hasText, isJsonObject, namesOf } from '../document/json';
import type { DocumentPath, JsonObject } from '../document/json';
import type { WorkflowDocument } from '../document/workflow-document';
import type { Key, Rule } from './document-rules';
import { keysOf, ruleOfField } from './document-rules';
import type { KnownValues } from './known-values';
import { knownValuesOf } from './known-values';
import { isMaskedWhole, maskValue } from './mask-document';
import { rewriteSecrets } from './secret-text';

const MOST_PROBLEMS = 20;

export interface Restored {
  readonly document: WorkflowDocument;
  /** True if any value was taken from the stored document. */
  readonly isMadeOfStored: boolean;
}

interface Progress {
  readonly problems: Problem[];
  /** Values that are masked everywhere in the stored document. */
  readonly known: KnownValues;
  restored: number;
}

/**
 * Replaces each `***` in a written document by the stored value with the same step id and path.
 * @param stored the document that the client may have read; null for a new workflow
 * @throws Refused WORKFLOW_INVALID: a `***` where no masked value is stored
 */
export function restoreDocument(
  written: WorkflowDocument,
  stored: WorkflowDocument | null,
): Restored {
  if (!hasText(written, MASK)) return { document: written, isMadeOfStored: false };
  const progress: Progress = {
    problems: [],
    known: knownValuesOf([stored]),
    restored: 0,
  };
  const document = restoreValue(
    written,
    stored ?? undefined,
    'names',
    null,
    progress,
  ) as WorkflowDocument;
  refuse(progress);
  return { document, isMadeOfStored: progress.restored > 0 };
}

function refuse({ problems }: Progress): void {
  const first = problems[0];
  if (first) throw new Refused('WORKFLOW_INVALID', first.message, { path: first.path, problems });
}

/** Stops at the maximum number of reported problems. */
function note(progress: Progress, problem: Problem): void {
  progress.problems.push(problem);
  if (progress.problems.length >= MOST_PROBLEMS) refuse(progress);
}

function restoreValue(
  written: unknown,
  stored: unknown,
  rule: Rule,
  path: DocumentPath,
  progress: Progress,
): unknown {
  if (Array.isArray(written))
    return restoreList(written, Array.isArray(stored) ? stored : [], rule, path, progress);
  if (isJsonObject(written))
    return restoreObject(written, isJsonObject(stored) ? stored : {}, rule, path, progress);
  if (typeof written !== 'string' || !written.includes(MASK)) return written;
  const shown = typeof stored === 'object' ? undefined : maskValue(stored, rule, progress.known);
  if (shown === written && shown !== stored) {
    progress.restored += 1;
    return stored;
  }
  if (written === MASK) return restoreMask(stored, rule, path, progress);
  const restored = rule === 'texts' ? restoreText(written, stored, path, progress) : written;
  if (restored.includes(MASK) && typeof stored === 'string' && shown !== maskValue(stored, rule))
    note(progress, nothingStored(path));
  return restored;
}

function restoreList(
  written: readonly unknown[],
  stored: readonly unknown[],
  rule: Rule,
  path: DocumentPath,
  progress: Progress,
): unknown[] {
  const keys = keysOf(written, rule);
  const byKey = entriesByKey(stored, rule);
  const restored: unknown[] = [];
  for (const item of written) {
    const position = restored.length;
    restored.push(
      restoreValue(
        item,
        byKey.get(keys[position] ?? position),
        rule,
        { name: position, before: path },
        progress,
      ),
    );
  }
  return restored;
}

function entriesByKey(list: readonly unknown[], rule: Rule): ReadonlyMap<Key, unknown> {
  const entries = new Map<Key, unknown>();
  for (const key of keysOf(list, rule)) {
    entries.set(key, list[entries.size]);
  }
  return entries;
}

function restoreObject(
  written: JsonObject,
  stored: JsonObject,
  rule: Rule,
  path: DocumentPath,
  progress: Progress,
): JsonObject {
  const restored: [string, unknown][] = [];
  for (const [name, value] of Object.entries(written)) {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
    restored.push([
      name,
      restoreValue(
        value,
        before,
        ruleOfField(rule, name, written),
        { name, before: path },
        progress,
      ),
    ]);
  }
  return Object.fromEntries(restored);
}

function restoreMask(stored: unknown, rule: Rule, path: DocumentPath, progress: Progress): unknown {
  if (isMaskedWhole(stored, rule)) {
    progress.restored += 1;
    return stored;
  }
  note(progress, nothingStored(path));
  return MASK;
}

/**
 * Restores the masked values within a text. If the stored text has another number of values under a
 * name, they cannot be matched, and the `***` is reported.
 */
function restoreText(
  written: string,
  stored: unknown,
  path: DocumentPath,
  progress: Progress,
): string {
  const before = typeof stored === 'string' ? stored : '';
  const [storedValues, places] = [valuesIn(before), valuesIn(written)];
  const passed = new Map<string, number>();
  return rewriteSecrets(written, (name, value) => {
    const nth = passed.get(name) ?? 0;
    passed.set(name, nth + 1);
    if (value !== MASK) return value;
    const values = storedValues.get(name);
    if (values?.length === places.get(name)?.length && values?.[nth] !== undefined) {
      progress.restored += 1;
      return values[nth];
    }
    note(progress, nothingStored(path));
    return value;
  });
}

/** The secrets of a text, by name. */
function valuesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  rewriteSecrets(text, (name, value) => {
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
    return value;
  });
  return values;
}

const nothingStored = (path: DocumentPath): Problem => ({
  code: 'SECRET_NOT_STORED',
  path: namesOf(path),
  message: `${MASK} stands for a value that is not shown. Nothing is stored in this place of this step: send the value itself.`,
});

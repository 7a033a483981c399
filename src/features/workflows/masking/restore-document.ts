import type { Problem } from '../../../platform/errors/errors';
import { Refused } from '../../../platform/errors/errors';
import { MASK } from '../../../platform/secrets';
import { hasText, isJsonObject } from '../json';
import type { JsonObject } from '../json';
import type { WorkflowDocument } from '../workflow.document';
import type { Rule } from './document-rules';
import { keysOf, ruleOfField } from './document-rules';
import { maskLeaf, maskText } from './mask-document';
import { rewriteSecrets } from './secret-text';

const MOST_PROBLEMS = 20;

/** The last name of a path, and the path before it: most paths are never told. */
type Path = { readonly name: string | number; readonly before: Path } | null;

export interface Restored {
  readonly document: WorkflowDocument;
  /** Was anything taken from what is stored? */
  readonly isMadeOfStored: boolean;
}

/** What is met on the way through a document. */
interface Progress {
  readonly problems: Problem[];
  restored: number;
}

/**
 * The document somebody writes, with what is stored in the place of each `***`: the same step id and the same path below it.
 * @param stored what he may have read; null for a new workflow
 * @throws Refused WORKFLOW_INVALID: a `***` where nothing hidden is stored
 */
export function restoreDocument(written: WorkflowDocument, stored: WorkflowDocument | null): Restored {
  if (!hasText(written, MASK)) return { document: written, isMadeOfStored: false };
  const progress: Progress = { problems: [], restored: 0 };
  const document = restoreValue(written, stored ?? undefined, 'names', null, progress) as WorkflowDocument;
  refuse(progress);
  return { document, isMadeOfStored: progress.restored > 0 };
}

function refuse({ problems }: Progress): void {
  const first = problems[0];
  if (first) throw new Refused('WORKFLOW_INVALID', first.message, { path: first.path, problems });
}

/** More problems than are told are not looked for. */
function note(progress: Progress, problem: Problem): void {
  progress.problems.push(problem);
  if (progress.problems.length >= MOST_PROBLEMS) refuse(progress);
}

function restoreValue(written: unknown, stored: unknown, rule: Rule, path: Path, progress: Progress): unknown {
  if (Array.isArray(written)) return restoreList(written, Array.isArray(stored) ? stored : [], rule, path, progress);
  if (isJsonObject(written)) return restoreObject(written, isJsonObject(stored) ? stored : {}, rule, path, progress);
  if (written === MASK) return restoreMask(stored, rule, path, progress);
  return rule === 'texts' && typeof written === 'string' && written.includes(MASK) ? restoreText(written, stored, path, progress) : written;
}

function restoreList(written: readonly unknown[], stored: readonly unknown[], rule: Rule, path: Path, progress: Progress): unknown[] {
  const [writtenKeys, storedKeys] = [keysOf(written, rule), keysOf(stored, rule)];
  const known = new Map(storedKeys.map((key, position) => [key, stored[position]]));
  return written.map((item, position) => restoreValue(item, known.get(writtenKeys[position] ?? ''), rule, { name: position, before: path }, progress));
}

function restoreObject(written: JsonObject, stored: JsonObject, rule: Rule, path: Path, progress: Progress): JsonObject {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => {
    const there = Object.hasOwn(stored, name) ? stored[name] : undefined;
    return [name, restoreValue(value, there, ruleOfField(rule, name, written), { name, before: path }, progress)];
  }));
}

function restoreMask(stored: unknown, rule: Rule, path: Path, progress: Progress): unknown {
  if (stored !== undefined && maskLeaf(stored, rule) === MASK) {
    progress.restored += 1;
    return stored;
  }
  note(progress, nothingStored(path));
  return MASK;
}

/** A text in which values are hidden one by one. Where the other text has not as many under one name, nobody knows which is which. */
function restoreText(written: string, stored: unknown, path: Path, progress: Progress): string {
  const before = typeof stored === 'string' ? stored : '';
  if (written === maskText(before)) {
    progress.restored += 1;
    return before;
  }
  const [known, places] = [valuesIn(before), valuesIn(written)];
  return rewriteSecrets(written, (place, value) => {
    if (value !== MASK) return value;
    const kept = known.values.get(place);
    if (kept !== undefined && known.counts.get(stemOf(place)) === places.counts.get(stemOf(place))) {
      progress.restored += 1;
      return kept;
    }
    note(progress, nothingStored(path));
    return value;
  });
}

function valuesIn(text: string): { readonly values: ReadonlyMap<string, string>; readonly counts: ReadonlyMap<string, number> } {
  const [values, counts] = [new Map<string, string>(), new Map<string, number>()];
  rewriteSecrets(text, (place, value) => {
    values.set(place, value);
    counts.set(stemOf(place), (counts.get(stemOf(place)) ?? 0) + 1);
    return value;
  });
  return { values, counts };
}

/** Places of one name differ in the number at their end. */
const stemOf = (place: string): string => place.slice(0, place.lastIndexOf(' '));

const nothingStored = (path: Path): Problem => ({
  path: namesOf(path), message: `${MASK} stands for a value that is not shown. Nothing is stored in this place of this step: send the value itself.`,
});

function namesOf(path: Path): (string | number)[] {
  const names: (string | number)[] = [];
  for (let part = path; part !== null; part = part.before) names.unshift(part.name);
  return names;
}

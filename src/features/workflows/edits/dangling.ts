import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import type { WorkflowDocument } from '../workflow.document';
import { idOfPart } from '../patches/patch-target';
import { colorsIn } from './colors';

/** A step or field binding that refers to a deleted method. */
export interface DanglingReference {
  readonly stepId: string | null;
  readonly bindingId: string | null;
  readonly index: string | null;
  readonly color: string;
}

/** Finds references to methods that are in `before` and not in `after`. */
export function* danglingAfter(
  before: WorkflowDocument,
  after: WorkflowDocument,
  turn: Turn,
): Steps<DanglingReference[]> {
  const gone = new Set(colorsOf(before));
  for (const color of colorsOf(after)) gone.delete(color);
  const found: DanglingReference[] = [];
  if (gone.size === 0) return found;
  for (const method of after.fromConnector.methods)
    for (const color of yield* named(method.request, gone, turn))
      found.push({ stepId: method.id, bindingId: null, index: method.index ?? null, color });
  for (const { id, index, expression, condition } of after.fromConnector.operators) {
    for (const color of yield* named([expression, condition], gone, turn))
      found.push({ stepId: id, bindingId: null, index: index ?? null, color });
  }
  for (const binding of after.fieldBinding)
    for (const color of yield* named(binding, gone, turn))
      found.push({ stepId: null, bindingId: idOfPart(binding), index: null, color });
  return found;
}

const colorsOf = ({ fromConnector }: WorkflowDocument): string[] =>
  fromConnector.methods.flatMap(({ color }) =>
    typeof color === 'string' ? [color.toUpperCase()] : [],
  );

/** Returns which of these colours a value contains: in its texts, or as the `color` of a field. */
function* named(value: unknown, colors: ReadonlySet<string>, turn: Turn): Steps<Set<string>> {
  const found = new Set<string>();
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    if (turn.over) yield;
    const next = ahead.pop();
    if (typeof next === 'string')
      for (const color of colorsIn(next)) if (colors.has(color)) found.add(color);
    if (typeof next !== 'object' || next === null) continue;
    if (
      isJsonObject(next) &&
      typeof next.color === 'string' &&
      colors.has(next.color.toUpperCase())
    )
      found.add(next.color.toUpperCase());
    for (const one of Object.values(next as JsonObject)) ahead.push(one);
  }
  return found;
}

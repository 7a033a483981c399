import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { rewrittenBinding, rewrittenStep } from './step-texts';
import type { Rewriting } from './step-texts';
import type { TreeStep } from './step-tree';

/** The colours of all references in a text, in upper case. */
export const colorsIn = (text: string): string[] =>
  [...text.matchAll(/#[0-9A-Fa-f]{6}(?=\.\()/g)].map(([color]) => color.toUpperCase());

/** Changes every reference to the method with the colour `from` to the colour `to`. */
export function* recolor(
  steps: readonly TreeStep[],
  bindings: readonly JsonObject[],
  from: string,
  to: string,
  turn: Turn,
): Steps<JsonObject[]> {
  const pattern = new RegExp(`${from}(?=\\.\\()`, 'gi');
  const inText = (text: string): string => text.replace(pattern, to);
  const how: Rewriting = {
    text: inText,
    expression: inText,
    variables: inText,
    path: (path) => path,
    color: (color) => (color.toUpperCase() === from.toUpperCase() ? to : color),
  };
  for (const node of steps) {
    if (turn.over) yield;
    node.step = yield* rewrittenStep(node, how, turn);
  }
  return bindings.map((binding) => rewrittenBinding(binding, how));
}

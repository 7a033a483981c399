import { ExpressionError } from '../errors';
import { codeOf, sourcesOfBinding, variablesOf } from '../scripts/step-script';
import type { ScriptVariable } from '../scripts/step-script';
import type { Source } from '../text/template';
import { fieldOf, listOf } from './clean';

/** Part of a request that a binding writes to. */
export interface BindingTarget {
  /** `request` is a field of the body, `path` a part of the URL, `header` a header. */
  readonly type: string;
  readonly field: string;
}

/** A field binding as applied to one step. */
export interface Binding {
  /** Path in the workflow: `fieldBinding.0`. */
  readonly place: string;
  /** Null: copies the first source. */
  readonly code: string | null;
  readonly language: string;
  readonly variables: readonly ScriptVariable[];
  readonly sources: readonly Source[];
  readonly targets: readonly BindingTarget[];
  /** Syntax error of a reference in the binding. */
  readonly problem: ExpressionError | null;
}

/** Groups the field bindings of a workflow by the colour of their target step; keeps the order. */
export function bindingsByColor(
  bindings: readonly unknown[],
): ReadonlyMap<string, readonly Binding[]> {
  const byColor = new Map<string, Binding[]>();
  for (const [position, binding] of bindings.entries()) {
    for (const color of new Set(colorsOf(binding, 'to'))) {
      byColor.set(color, [
        ...(byColor.get(color) ?? []),
        readBinding(binding, `fieldBinding.${position}`, color),
      ]);
    }
  }
  return byColor;
}

/** Colours of the steps whose responses a binding reads. */
export function boundColors(bindings: readonly unknown[]): Set<string> {
  return new Set(bindings.flatMap((binding) => colorsOf(binding, 'from')));
}

function readBinding(binding: unknown, place: string, color: string): Binding {
  const enhancement = fieldOf(binding, 'enhancement');
  const targets = listOf(fieldOf(binding, 'to') as readonly unknown[])
    .filter((end) => colorOf(end) === color)
    .map((end) => ({ type: textOf(fieldOf(end, 'type')), field: textOf(fieldOf(end, 'field')) }));
  const about = {
    place,
    code: codeOf(enhancement),
    language: textOf(fieldOf(enhancement, 'language')),
    targets,
  };
  try {
    return {
      ...about,
      variables: variablesOf(binding),
      sources: sourcesOfBinding(binding),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...about, variables: [], sources: [], problem: error };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function colorOf(end: unknown): string | null {
  const color = fieldOf(end, 'color');
  return typeof color === 'string' ? color.toUpperCase() : null;
}

function colorsOf(binding: unknown, side: 'from' | 'to'): string[] {
  return listOf(fieldOf(binding, side) as readonly unknown[])
    .map(colorOf)
    .filter((color) => color !== null);
}

import { syntaxError } from '../errors';
import { fieldOf, listOf } from '../plan/clean';
import { inResponse } from '../reference/response-field';
import { soleSources } from '../text/template';
import type { Source } from '../text/template';

/** A name that a script finds its value under. */
export interface ScriptVariable {
  readonly name: string;
  readonly source: Source;
}

/** `var NAME = reference`, as the editors write it: each behind a comment mark. */
const STATEMENT = /^(?:\/\/)?\s*var\s+([A-Za-z_$][\w$]*)\s*=\s*(\S.*)$/;
/** Names what is written, and is given to nobody. */
const TARGET = 'RESULT_VAR';

/**
 * What the script of a binding works with: the variables it declares, else one for each of the ends it comes from.
 * @throws ExpressionError for a reference that is none
 */
export function variablesOf(binding: unknown): ScriptVariable[] {
  const text = fieldOf(fieldOf(binding, 'enhancement'), 'expertVar');
  const declared = typeof text === 'string' ? declaredIn(text) : [];
  return declared.length > 0
    ? declared
    : endsOf(binding).flatMap((source, position) =>
        source === null ? [] : [{ name: `VAR_${position}`, source }],
      );
}

/**
 * What a binding comes from.
 * @throws ExpressionError
 */
export const sourcesOfBinding = (binding: unknown): Source[] =>
  endsOf(binding).filter((source) => source !== null);

/** Null for an end that names nothing. */
function endsOf(binding: unknown): (Source | null)[] {
  return listOf(fieldOf(binding, 'from') as readonly unknown[]).map((end) => {
    const [color, type, field] = ['color', 'type', 'field'].map((name) => fieldOf(end, name));
    if (typeof color !== 'string' || typeof type !== 'string') return null;
    const path = typeof field === 'string' ? field.trim() : '';
    const inside = type === 'response' ? inResponse(path) : path;
    return (
      soleSources(
        `${color}.(${type})${inside === '' || inside.startsWith('[') ? inside : `.${inside}`}`,
      )?.[0] ?? null
    );
  });
}

function declaredIn(text: string): ScriptVariable[] {
  return text.split(/[;\r\n]+/).flatMap((statement) => {
    const [, name, reference = ''] = STATEMENT.exec(statement.trim()) ?? [];
    if (name === undefined || name === TARGET) return [];
    const source = soleSources(reference)?.[0];
    if (source === undefined) throw syntaxError(reference, 0, 'a reference');
    return [{ name, source }];
  });
}

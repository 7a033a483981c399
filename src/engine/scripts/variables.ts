import { syntaxError } from '../errors';
import { fieldOf, listOf } from '../plan/clean';
import { inResponse } from '../reference/response-field';
import { soleSources } from '../text/template';
import type { Source } from '../text/template';

/** A variable of a script. */
export interface ScriptVariable {
  readonly name: string;
  readonly source: Source;
}

/** `var NAME = reference` after an optional comment mark, as editors write it. */
const STATEMENT = /^(?:\/\/)?\s*var\s+([A-Za-z_$][\w$]*)\s*=\s*(\S.*)$/;
/** Name of the result, which is not passed to the script. */
const TARGET = 'RESULT_VAR';

/**
 * Returns the variables of a binding's script: declared ones, or else one for each source.
 * @throws ExpressionError invalid reference
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
 * Returns the sources of a binding.
 * @throws ExpressionError
 */
export const sourcesOfBinding = (binding: unknown): Source[] =>
  endsOf(binding).filter((source) => source !== null);

/** Null for an entry without a reference. */
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

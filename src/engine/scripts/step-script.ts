import type { EngineError } from '../errors';
import { syntaxError } from '../errors';
import { fieldOf, listOf } from '../plan/clean';
import { inResponse } from '../reference/reference';
import { soleSources } from '../text/template';
import type { Source } from '../text/template';

/** Variable in the code that editors generate for a binding without a script. */
export const COPIED = 'VAR_0';
const COPY = new RegExp(String.raw`^RESULT_VAR\s*=\s*${COPIED}(?:\s*;)*$`);
/** Languages in which `//` is not a comment. */
const OTHER_LANGUAGES = /^\s*(?:python|ruby)\s*$/i;
const COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*/g;

/** Returns the code of an enhancement; null if it only copies the first source. */
export function codeOf(enhancement: unknown): string | null {
  const code = [fieldOf(enhancement, 'expertCode'), simpleCodeOf(enhancement)].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  if (typeof code !== 'string') return null;
  const language = fieldOf(enhancement, 'language');
  const bare = (
    typeof language === 'string' && OTHER_LANGUAGES.test(language)
      ? code
      : code.replace(COMMENT, ' ')
  ).trim();
  return bare === '' || COPY.test(bare) ? null : code;
}

/**
 * A text, or `{pointer, code: [{name, value, type}]}` of old editors: pieces of a text in order.
 */
function simpleCodeOf(enhancement: unknown): unknown {
  const simple = fieldOf(enhancement, 'simpleCode');
  const pieces = fieldOf(simple, 'code');
  if (!Array.isArray(pieces)) return simple;
  return listOf(pieces as readonly unknown[])
    .map((piece) => fieldOf(piece, 'value') ?? fieldOf(piece, 'name'))
    .filter((text) => typeof text === 'string' || typeof text === 'number')
    .join('');
}

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

/** A script to evaluate before the request is built; its result is a source of kind `script`. */
export interface StepScript {
  /** Path in the workflow: `fieldBinding.0`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  readonly variables: readonly ScriptVariable[];
  /** Error if the result has no target. */
  readonly misplaced: EngineError | null;
}

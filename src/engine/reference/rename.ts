import { tokenize } from '../expression/tokens';
import { ExpressionError } from '../errors';

/**
 * New names of loop variables by old name. `isKey`: a loop over keys, so `['i']` refers to it too.
 */
export type Renames = ReadonlyMap<string, { readonly to: string; readonly isKey: boolean }>;

const BRACKET = /\[\s*([A-Za-z_]\w*)\s*\]|\['([^']*)'\]/g;
/** `{%#RRGGBB.(…)…%}` and `${…}`. */
const MARKED = /\{%\s*#[0-9A-Fa-f]{6}\.[^{}%]*%\}|\$\{(?:[^{}']|'[^']*')*\}/g;
/**
 * A reference without marks extends to the end of the statement, since names may contain blanks.
 */
const BARE = /#[0-9A-Fa-f]{6}\.\((?:request|response)\)[^;\r\n]*/g;
const BEGINS_BARE = /^\s*#[0-9A-Fa-f]{6}\.\((?:request|response)\)/;

/** Renames loop variables in a path such as `items[i].name`. */
export function renamedInPath(path: string, renames: Renames): string {
  return path.replace(BRACKET, (match, turn: string | undefined, key: string | undefined) => {
    const renamed = renames.get(turn ?? key ?? '');
    if (renamed === undefined || (turn === undefined && !renamed.isKey)) return match;
    return turn === undefined ? `['${renamed.to}']` : `[${renamed.to}]`;
  });
}

/** The same in a text of a request: in its marks, or in all of it if it is a bare reference. */
export function renamedInText(text: string, renames: Renames): string {
  if (BEGINS_BARE.test(text)) return renamedInPath(text, renames);
  return text.replace(MARKED, (mark) => renamedInPath(mark, renames));
}

/** The same in the variables of a script, where references have no marks. */
export const renamedInVariables = (text: string, renames: Renames): string =>
  text.replace(BARE, (reference) => renamedInPath(reference, renames));

/** The same in an expression. If it does not parse, only references are changed. */
export function renamedInExpression(text: string, renames: Renames): string {
  const tokens = tokensOf(text);
  if (tokens === null) return renamedInText(text, renames);
  let renamed = '';
  for (const [nth, token] of tokens.entries()) {
    const written = text.slice(
      nth === 0 ? 0 : token.offset,
      tokens[nth + 1]?.offset ?? text.length,
    );
    if (token.kind === 'word')
      renamed += written.replace(token.text, (word) => renames.get(word)?.to ?? word);
    else
      renamed +=
        token.kind === 'reference' || token.kind === 'webhook'
          ? renamedInPath(written, renames)
          : written;
  }
  return renamed;
}

function tokensOf(text: string): ReturnType<typeof tokenize> | null {
  try {
    return tokenize(text);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

import { cached } from '../../platform/cache';
import type { RE2JS } from 're2js';
import { EngineError } from '../errors';
import { childrenOf } from './tree';
import type { Expression, LoopExpression, RelationName } from './tree';

/** Relations whose cost depends on both the text and the workflow. */
const LONG_RELATIONS: ReadonlySet<RelationName> = new Set<RelationName>([
  'Matches',
  'AllowList',
  'DenyList',
]);

/** Returns whether the evaluation may block the process for seconds or longer. */
export function conditionMayTakeLong(expression: Expression): boolean {
  return (
    (expression.kind === 'relation' && LONG_RELATIONS.has(expression.name)) ||
    childrenOf(expression).some(conditionMayTakeLong)
  );
}

/** The same for the expression of a loop. */
export function loopMayTakeLong(loop: LoopExpression): boolean {
  return loop.kind === 'SplitString' || conditionMayTakeLong(loop.over);
}

const MAX_PATTERN_LENGTH = 1_000;
/** Cost factor per character of the text; a count such as `{1000}` multiplies the program. */
const MAX_PROGRAM_SIZE = 2_000;

/**
 * Compiles a pattern for a linear-time engine and limits its size, so that a pattern cannot block
 * the process for long.
 * @throws EngineError EXPRESSION_BAD_PATTERN
 */
const compilePattern = cached('patterns', compile);

/** Returns whether the whole text matches. */
export function matchesWhole(text: string, pattern: string): boolean {
  return compilePattern(pattern).matches(text);
}

/** Splits a text at a delimiter pattern; an empty text has no parts. */
export function splitText(text: string, delimiter: string): string[] {
  if (text === '') return [];
  if (delimiter === '') return [...text];
  return compilePattern(delimiter).split(text, -1);
}

/**
 * `Like`: `%` matches any text, the rest is literal; case-insensitive, whole value. Matches both
 * ends, then searches the middle pieces from left to right without backtracking.
 */
export function isLike(text: string, pattern: string): boolean {
  const value = text.toLowerCase();
  const pieces = pattern.toLowerCase().split('%');
  if (pieces.length === 1) return value === pieces[0];
  const first = pieces[0];
  const last = pieces[pieces.length - 1];
  if (
    value.length < first.length + last.length ||
    !value.startsWith(first) ||
    !value.endsWith(last)
  )
    return false;
  const end = value.length - last.length;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const offset = value.indexOf(piece, from);
    if (offset < 0 || offset + piece.length > end) return false;
    from = offset + piece.length;
  }
  return true;
}

function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new EngineError(
      'EXPRESSION_BAD_PATTERN',
      `A regular expression is longer than ${MAX_PATTERN_LENGTH} characters.`,
    );
  }
  // Loaded on first use: the library is large.
  const { RE2JS, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  let program: RE2JS;
  try {
    program = RE2JS.compile(pattern);
  } catch (error) {
    // The library's message quotes the pattern, which may contain a secret.
    const reason = error instanceof RE2JSSyntaxException ? error.getDescription() : 'unreadable';
    throw new EngineError('EXPRESSION_BAD_PATTERN', `Not a regular expression: ${reason}.`);
  }
  if (program.programSize() <= MAX_PROGRAM_SIZE) return program;
  throw new EngineError(
    'EXPRESSION_BAD_PATTERN',
    `A regular expression repeats too much: it has more than ${MAX_PROGRAM_SIZE} places when its counts are written out.`,
  );
}

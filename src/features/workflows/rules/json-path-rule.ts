import { RuleRefusal } from '../../../platform/masking/rule-refusal';

/** Descents (`..`) in one path: each may look at everything below everything the one before has found. */
const MOST_DESCENTS = 2;

/**
 * A path is one of RFC 9535. Filters may not stand in filters, descend, or match patterns: what a path costs stays in proportion to what it is asked of.
 * @throws RuleRefusal
 */
export function refuseJsonPath(expression: string): void {
  const found = { descents: 0 };
  walk(parsed(expression), false, found);
  if (found.descents > MOST_DESCENTS) throw new RuleRefusal(`It descends with ".." more than ${MOST_DESCENTS} times.`);
}

function parsed(expression: string): unknown {
  // Late: a start needs no path.
  const { default: parse } = require('jsonpath-rfc9535/parser') as typeof import('jsonpath-rfc9535/parser');
  try {
    return parse(expression);
  } catch (error) {
    if (error instanceof RangeError) throw new RuleRefusal('It is nested too deeply.');
    throw new RuleRefusal(error instanceof Error ? error.message : 'It does not parse.', columnOf(error));
  }
}

function columnOf(error: unknown): number | null {
  const { location } = error as { readonly location?: { readonly start?: { readonly offset?: unknown } } };
  const offset = location?.start?.offset;
  return typeof offset === 'number' ? offset + 1 : null;
}

/** Through the tree of the parser, whatever its nodes are called: only those named here matter. */
function walk(node: unknown, isInFilter: boolean, found: { descents: number }): void {
  if (Array.isArray(node)) {
    for (const item of node as unknown[]) walk(item, isInFilter, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, name, ...parts } = node as Readonly<Record<string, unknown>>;
  if (type === 'FilterSelector' && isInFilter) throw new RuleRefusal('A filter stands in a filter.');
  if (type === 'DescendantSegment' && isInFilter) throw new RuleRefusal('A filter descends with "..".');
  if (type === 'DescendantSegment') found.descents += 1;
  if (type === 'FunctionExpr' && (name === 'match' || name === 'search')) throw new RuleRefusal(`A filter matches a pattern with ${name}(): use a rule of the type regex.`);
  for (const part of Object.values(parts)) walk(part, isInFilter || type === 'FilterSelector', found);
}

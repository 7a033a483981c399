import { located, unsupported } from '../errors';
import { fieldNames } from '../rule-tree';
import { assignField, field, isDocument, requireSupported } from '../values';
import type { Doc } from '../values';
import { dateOperators } from './dates';
import { operators } from './operators';
import type { CompileExpression, Expression } from './operators';

/**
 * Compiles an aggregation expression: field paths, literals, documents, arrays, supported
 * operators.
 * @throws StoreError 115 other operators
 */
export const compileExpression: CompileExpression = (expression) => {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression);
  if (Array.isArray(expression)) return compileArray(expression.map(compileExpression));
  if (!isDocument(expression)) return compileLiteral(expression);
  const names = Object.keys(expression);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator === undefined) return compileDocument(expression);
  if (names.length > 1)
    throw located(
      15983,
      `An object representing an expression must have exactly one field: ${names.join(', ')}`,
    );
  if (operator === '$literal') return compileLiteral(expression.$literal);
  if (!Object.hasOwn(known, operator)) throw unsupported(`the expression operator ${operator} is`);
  return known[operator](expression[operator], compileExpression, operator);
};

const known = { ...operators, ...dateOperators };

/** Returns the top-level fields that an expression (or a value that contains some) may read. */
export function fieldsRead(expression: unknown): ReadonlySet<string> | 'all' {
  const fields = new Set<string>();
  return collect(expression, fields) ? fields : 'all';
}

function collect(expression: unknown, fields: Set<string>): boolean {
  if (Array.isArray(expression)) return expression.every((inner) => collect(inner, fields));
  if (isDocument(expression))
    return Object.values(expression).every((inner) => collect(inner, fields));
  if (typeof expression !== 'string' || !expression.startsWith('$')) return true;
  fields.add(expression.slice(1).split('.', 1)[0]);
  return !expression.startsWith('$$');
}

export function compileLiteral(value: unknown): Expression {
  requireSupported(value);
  return () => value;
}

function compileArray(elements: readonly Expression[]): Expression {
  return (doc) => elements.map((element) => element(doc) ?? null);
}

function compileDocument(document: Doc): Expression {
  const fields = Object.entries(document).map(([name, value]) => {
    if (name === '' || name.includes('.'))
      throw located(16412, `FieldPath field names may not contain '.' or be empty: '${name}'`);
    return [name, compileExpression(value)] as const;
  });
  return (doc) => {
    const result: Doc = {};
    for (const [name, value] of fields) {
      const evaluated = value(doc);
      if (evaluated !== undefined) assignField(result, name, evaluated);
    }
    return result;
  };
}

function compilePath(expression: string): Expression {
  if (expression === '$') throw located(16872, "'$' by itself is not a valid FieldPath");
  const names = fieldNames(expression.replace(/^\$\$?/, ''));
  if (!expression.startsWith('$$')) return (doc) => valueAtPath(doc, names, 0);
  const [variable, ...rest] = names;
  if (/^[a-z]/.test(variable)) throw located(17276, `Use of undefined variable: ${variable}`);
  if (variable !== 'ROOT') throw unsupported(`the variable $$${variable} is`);
  return rest.length === 0 ? (doc) => doc : (doc) => valueAtPath(doc, rest, 0);
}

/** Value of `$a.b`. An array on the path gives an array of the values in its documents. */
function valueAtPath(doc: Doc, names: readonly string[], at: number): unknown {
  const value = field(doc, names[at]);
  if (at === names.length - 1) return value;
  if (isDocument(value)) return valueAtPath(value, names, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value
    .filter(isDocument)
    .map((element) => valueAtPath(element, names, at + 1))
    .filter((inner) => inner !== undefined);
}

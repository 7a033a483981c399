import { located, unsupported } from '../errors';
import { assignField, field, isDocument, requireSupported } from '../values';
import type { Doc } from '../values';
import { fieldNames } from '../project/tree';

/** What an expression sees: the document of the stage, and variables such as the element of `$map`. */
export interface Scope {
  readonly root: Doc;
  readonly variables: ReadonlyMap<string, unknown>;
}

/** A compiled expression; undefined means missing. */
export type Expression = (scope: Scope) => unknown;

/** Compiles what stands under an operator's name. `compile` compiles the expressions within. */
export type OperatorCompiler = (operand: unknown, compile: CompileExpression, name: string) => Expression;

export type CompileExpression = (expression: unknown) => Expression;

const noVariables: ReadonlyMap<string, unknown> = new Map();

export const scopeOf = (root: Doc): Scope => ({ root, variables: noVariables });

export const withVariable = (scope: Scope, name: string, value: unknown): Scope =>
  ({ ...scope, variables: new Map(scope.variables).set(name, value) });

/** A compiler for expressions made of field paths, literals, documents, arrays and the operators given. */
export function expressionCompiler(operators: Readonly<Record<string, OperatorCompiler>>): CompileExpression {
  const compile: CompileExpression = (expression) => {
    if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression);
    if (Array.isArray(expression)) return compileArray(expression.map(compile));
    if (!isDocument(expression)) return compileLiteral(expression);
    const names = Object.keys(expression);
    const operator = names.find((name) => name.startsWith('$'));
    if (operator === undefined) return compileDocument(expression, compile);
    if (names.length > 1) throw located(15983, `An object representing an expression must have exactly one field: ${names.join(', ')}`);
    if (!Object.hasOwn(operators, operator)) throw unsupported(`the expression operator ${operator} is`);
    return operators[operator](expression[operator], compile, operator);
  };
  return compile;
}

export function compileLiteral(value: unknown): Expression {
  requireSupported(value);
  return () => value;
}

function compileArray(elements: readonly Expression[]): Expression {
  return (scope) => elements.map((element) => element(scope) ?? null);
}

function compileDocument(doc: Doc, compile: CompileExpression): Expression {
  const fields = Object.entries(doc).map(([name, value]) => {
    if (name === '' || name.includes('.')) throw located(16412, `FieldPath field names may not contain '.' or be empty: '${name}'`);
    return [name, compile(value)] as const;
  });
  return (scope) => {
    const result: Doc = {};
    for (const [name, value] of fields) {
      const evaluated = value(scope);
      if (evaluated !== undefined) assignField(result, name, evaluated);
    }
    return result;
  };
}

function compilePath(expression: string): Expression {
  if (expression === '$') throw located(16872, "'$' by itself is not a valid FieldPath");
  if (!expression.startsWith('$$')) {
    const names = fieldNames(expression.slice(1));
    return ({ root }) => valueAtPath(root, names, 0);
  }
  const [variable, ...names] = fieldNames(expression.slice(2));
  const start = compileVariable(variable);
  return names.length === 0 ? start : (scope) => belowVariable(start(scope), names);
}

function compileVariable(name: string): Expression {
  if (name === 'ROOT' || name === 'CURRENT') return ({ root }) => root;
  if (name === 'REMOVE') return () => undefined;
  if (/^[A-Z]/.test(name)) throw unsupported(`the variable $$${name} is`);
  return ({ variables }) => {
    if (!variables.has(name)) throw located(17276, `Use of undefined variable: ${name}`);
    return variables.get(name);
  };
}

function belowVariable(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return throughArray(value, names, 0);
  return isDocument(value) ? valueAtPath(value, names, 0) : undefined;
}

/** The value of `$a.b`. An array on the way gives the array of what its documents hold there. */
export function valueAtPath(doc: Doc, names: readonly string[], at: number): unknown {
  const value = field(doc, names[at]);
  if (at === names.length - 1) return value;
  if (isDocument(value)) return valueAtPath(value, names, at + 1);
  return Array.isArray(value) ? throughArray(value, names, at + 1) : undefined;
}

function throughArray(array: readonly unknown[], names: readonly string[], at: number): unknown[] {
  return array.filter(isDocument).map((element) => valueAtPath(element, names, at)).filter((value) => value !== undefined);
}

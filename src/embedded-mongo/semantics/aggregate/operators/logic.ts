import { located } from '../../errors';
import { isTruthy } from '../../match/field';
import { compareValues } from '../../order';
import { isDocument } from '../../values';
import { binary, exactArguments, isNullish, manyArguments, namedArguments, unary } from '../arguments';
import { compileLiteral } from '../expression';
import type { CompileExpression, Expression, OperatorCompiler } from '../expression';

const compared = (accepts: (order: number) => boolean): OperatorCompiler => binary((a, b) => accepts(compareValues(a, b)));

const condition: OperatorCompiler = (operand, compile, name) => {
  const [test, yes, no] = isDocument(operand) ? namedBranches(operand, compile, name) : exactArguments(name, operand, 3, compile);
  return (scope) => (isTruthy(test(scope)) ? yes(scope) : no(scope));
};

function namedBranches(operand: unknown, compile: CompileExpression, name: string): Expression[] {
  const branches = namedArguments(name, operand, { required: [], optional: ['if', 'then', 'else'] }, 17083);
  return (['if', 'then', 'else'] as const).map((branch, index) => {
    if (!Object.hasOwn(branches, branch)) throw located(17080 + index, `Missing '${branch}' parameter to ${name}`);
    return compile(branches[branch]);
  });
}

const ifNull: OperatorCompiler = (operand, compile, name) => {
  const candidates = manyArguments(operand, compile);
  if (candidates.length < 2) throw located(1257300, `${name} needs at least two arguments, had: ${candidates.length}`);
  return (scope) => {
    for (const candidate of candidates.slice(0, -1)) {
      const value = candidate(scope);
      if (!isNullish(value)) return value;
    }
    return candidates[candidates.length - 1](scope);
  };
};

const switchOver: OperatorCompiler = (operand, compile, name) => {
  const parts = namedArguments(name, operand, { required: ['branches'], optional: ['default'] }, 40060);
  if (!Array.isArray(parts.branches) || parts.branches.length === 0) throw located(40068, `${name} requires at least one branch`);
  const branches = (parts.branches as unknown[]).map((branch) => {
    const { case: test, then } = namedArguments(`${name} branch`, branch, { required: ['case', 'then'], optional: [] }, 40062);
    return { test: compile(test), then: compile(then) };
  });
  const otherwise = Object.hasOwn(parts, 'default') ? compile(parts.default) : undefined;
  return (scope) => {
    const branch = branches.find(({ test }) => isTruthy(test(scope)));
    if (branch !== undefined) return branch.then(scope);
    if (otherwise === undefined) throw located(40066, `${name} could not find a matching branch for an input, and no default was specified.`);
    return otherwise(scope);
  };
};

const all: OperatorCompiler = (operand, compile) => {
  const tests = manyArguments(operand, compile);
  return (scope) => tests.every((test) => isTruthy(test(scope)));
};

const any: OperatorCompiler = (operand, compile) => {
  const tests = manyArguments(operand, compile);
  return (scope) => tests.some((test) => isTruthy(test(scope)));
};

export const logicOperators: Readonly<Record<string, OperatorCompiler>> = {
  $literal: (operand) => compileLiteral(operand),
  $eq: compared((order) => order === 0),
  $ne: compared((order) => order !== 0),
  $gt: compared((order) => order > 0),
  $gte: compared((order) => order >= 0),
  $lt: compared((order) => order < 0),
  $lte: compared((order) => order <= 0),
  $cmp: binary((a, b) => Math.sign(compareValues(a, b))),
  $and: all,
  $or: any,
  $not: unary((value) => !isTruthy(value)),
  $cond: condition,
  $ifNull: ifNull,
  $switch: switchOver,
};

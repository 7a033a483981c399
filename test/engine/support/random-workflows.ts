import fc from 'fast-check';
import type { MethodDoc, OperatorDoc, WorkflowSnapshot } from '../../../src/engine';
import { colorOf, httpStep, ifStep, jsonBody, loopStep, reference, workflow } from './run';

/** Steps of a random workflow. */
export type Tree =
  | { kind: 'method'; method: string; retries: number; isBound: boolean }
  | { kind: 'if' | 'loop'; children: Tree[] };

export const treesOfSteps = fc.letrec<{ list: Tree[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { depthSize: 'small', depthIdentifier: 'tree' },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('method' as const),
          method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH'),
          retries: fc.constantFrom(0, 0, 2),
          isBound: fc.boolean(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constantFrom('if' as const, 'loop' as const),
          children: tie('list'),
        }),
      },
    ),
    { minLength: 1, maxLength: 3, depthIdentifier: 'tree' },
  ),
})).list;

/**
 * Conditions and loops read the first step; a binding reads it by a script. Each step has a path of
 * its own.
 */
export function workflowOf(trees: readonly Tree[], remote: string): WorkflowSnapshot {
  const steps: (MethodDoc | OperatorDoc)[] = [httpStep('0', `${remote}/0`)];
  const fieldBinding: unknown[] = [];
  const visit = (tree: Tree, index: string, depth: number): void => {
    if (tree.kind === 'method') {
      const { method, retries, isBound } = tree;
      const request = {
        method,
        ...(method !== 'GET' && { body: jsonBody({ x: reference('0', '(response).body.n') }) }),
      };
      steps.push(
        httpStep(index, `${remote}/${index}`, {
          retries: String(retries),
          backoff: '1',
          request,
        }),
      );
      if (isBound && method !== 'GET')
        fieldBinding.push({
          from: [{ color: colorOf('0'), type: 'response', field: 'success.n' }],
          to: [{ color: colorOf(index), type: 'request', field: 'x' }],
          enhancement: {
            language: 'js',
            expertCode: 'RESULT_VAR = Number(VAR_0) + Math.random();',
          },
        });
      return;
    }
    steps.push(
      tree.kind === 'if'
        ? ifStep(index, `${reference('0', '(response).body.flag')} = true`)
        : loopStep(index, `For(${reference('0', '(response).body.list')})`, `i${depth}`),
    );
    tree.children.forEach((child, nth) => visit(child, `${index}_${nth}`, depth + 1));
  };
  trees.forEach((one, nth) => visit(one, String(nth + 1), 0));
  return { ...workflow(...steps), fieldBinding };
}

import fc from 'fast-check';
import { iteratorsOf } from '../../../src/features/workflows/editing/step-references';
import { buildTree } from '../../../src/features/workflows/editing/step-tree';
import type { TreeStep } from '../../../src/features/workflows/editing/step-tree';
import type { WorkflowDocument } from '../../../src/features/workflows/document/workflow-document';

/*
 * Workflows whose references name the loop they mean: `list[i].n3` is a field of the current item of the loop with id `n3`, whose
 * variable is `i`. After an edit the variable may differ, but must be that of the same loop.
 */

/** The step whose response all references read. */
export const SOURCE = {
  id: 's',
  index: '0',
  color: '#AAAAAA',
  methodType: 'HTTP_REQUEST',
  request: { endpoint: 'http://a.test' },
};

export const documentOf = (
  methods: object[],
  operators: object[],
  fieldBinding: object[] = [],
): WorkflowDocument =>
  ({
    title: 't',
    fromConnector: { connectorId: -1, title: 'DEFAULT', methods, operators },
    toConnector: null,
    fieldBinding,
  }) as unknown as WorkflowDocument;

export interface StepShape {
  readonly type: 'if' | 'loop' | 'method';
  /** The stored loop variable; null if the depth implies it. */
  readonly variable: string | null;
  readonly children: readonly StepShape[];
}

export const LOOP_VARIABLES = ['i', 'j', 'k', 'row'] as const;

/** Steps with at most this depth below them. */
export const stepShape = (depth: number): fc.Arbitrary<StepShape> =>
  fc.record({
    variable: fc.constantFrom(null, null, ...LOOP_VARIABLES),
    type:
      depth === 0
        ? fc.constant('method' as const)
        : fc.constantFrom('loop', 'loop', 'if', 'method'),
    children: depth === 0 ? fc.constant([]) : fc.array(stepShape(depth - 1), { maxLength: 2 }),
  });

interface Loop {
  readonly id: string;
  readonly variable: string;
}

/** Variables of loops without a stored one, by depth. */
const IMPLIED_VARIABLES = 'ijklmnopq';

/**
 * The workflow of these steps, in which each step refers to all loops around it. Returns null where two nested loops would have the
 * same variable, which is invalid.
 */
export function markedDocument(shapes: readonly StepShape[]): WorkflowDocument | null {
  const methods: object[] = [SOURCE];
  const operators: object[] = [];
  const bindings: object[] = [];
  let isValid = true;
  const add = (shape: StepShape, index: string, loops: readonly Loop[]): void => {
    const nth = methods.length + operators.length - 1;
    const [id, color] = [`n${nth}`, `#${(0xb00000 + nth).toString(16).toUpperCase()}`];
    const fields = loops.map((loop) => `body.list[${loop.variable}].${loop.id}`);
    const references = fields.map((field) => `{%#AAAAAA.(response).${field}%}`);
    if (shape.type === 'method') {
      methods.push({
        id,
        index,
        color,
        request: {
          endpoint: `http://a.test/${references.join('/')}`,
          header: { 'X-A': references.join(' ') },
        },
      });
      bindings.push({
        id: `b${id}`,
        from: fields.map((field) => ({ color: '#AAAAAA', type: 'response', field })),
        to: [{ color, type: 'request', field: 'x' }],
      });
      return;
    }
    let inner = loops;
    if (shape.type === 'if') {
      const conditions = ['1 = 1', ...references.map((reference) => `${reference} = 1`)];
      operators.push({ id, index, type: 'if', expression: conditions.join(' && ') });
    } else {
      const variable = shape.variable ?? IMPLIED_VARIABLES[loops.length] ?? 'z';
      isValid &&= !loops.some((loop) => loop.variable === variable);
      operators.push({
        id,
        index,
        type: 'loop',
        ...(shape.variable !== null && { iterator: shape.variable }),
        expression: `For({%#AAAAAA.(response).${fields.at(-1) ?? 'body'}.more%})`,
      });
      inner = [...loops, { id, variable }];
    }
    shape.children.forEach((child, at) => add(child, `${index}_${at + 1}`, inner));
  };
  shapes.forEach((shape, at) => add(shape, `${at + 1}`, []));
  return isValid ? documentOf(methods, operators, bindings) : null;
}

/**
 * References whose variable belongs to another loop than the one they name.
 * @param left references whose step has left their loop, as `step loop`: they stay broken. Extended by those of this document.
 */
export function strayReferences(document: WorkflowDocument, left: Set<string>): string[] {
  const strays: string[] = [];
  const visit = (nodes: readonly TreeStep[], around: readonly TreeStep[]): void => {
    const variables = iteratorsOf(around);
    const loops = around.filter(({ step }) => step.type === 'loop').map(({ step }) => step.id);
    for (const node of nodes) {
      const { id, color, request, expression } = node.step;
      const bindings = document.fieldBinding.filter(({ to }: any) => to[0].color === color);
      const text = JSON.stringify([request, expression, bindings]);
      for (const [, variable = '', loop = ''] of text.matchAll(/list\[(\w+)\]\.(n\d+)/g)) {
        if (!loops.includes(loop)) left.add(`${id} ${loop}`);
        else if (!left.has(`${id} ${loop}`) && loops[variables.lastIndexOf(variable)] !== loop)
          strays.push(`${id}: [${variable}] of ${loop}`);
      }
      visit(node.children, [...around, node]);
    }
  };
  visit(buildTree(document).roots, []);
  return strays;
}

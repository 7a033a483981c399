import fc from 'fast-check';
import {
  removeStep,
  addStep,
  updateStep,
  moveStep,
} from '../../src/features/workflows/editing/step-edits';
import { buildTree, listSteps, sortByIndex } from '../../src/features/workflows/editing/step-tree';
import type { WorkflowDocument } from '../../src/features/workflows/document/workflow-document';
import { validateWorkflowSteps } from '../../src/engine';
import { DomainError } from '../../src/platform/errors/errors';
import { longIt } from '../support/long';
import { rounds } from '../support/rounds';
import {
  documentOf,
  LOOP_VARIABLES,
  markedDocument,
  SOURCE,
  stepShape,
  strayReferences,
} from './support/marked-references';

type FromArbitrary<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

/** Ids in walking order, derived from the indexes alone. */
const walking = ({ fromConnector }: WorkflowDocument): string[] =>
  sortByIndex(
    [...fromConnector.methods, ...fromConnector.operators],
    ({ index }) => index ?? null,
  ).map(({ id }) => id);
const indexes = ({ fromConnector }: WorkflowDocument): Record<string, string | null | undefined> =>
  Object.fromEntries(
    [...fromConnector.methods, ...fromConnector.operators].map(({ id, index }) => [id, index]),
  );
const moved = (
  document: WorkflowDocument,
  id: string,
  parentStepId: string | null,
  position: number | null,
): WorkflowDocument => moveStep(document, id, { parentStepId, position });

/** The reference model: nested lists of names. */
interface Model {
  readonly id: string;
  readonly children: Model[] | null;
}
const flat = (list: readonly Model[]): Model[] =>
  list.flatMap((one) => [one, ...flat(one.children ?? [])]);
const listWith = (list: Model[], id: string): Model[] | undefined =>
  list.some((one) => one.id === id)
    ? list
    : (list.map((one) => one.children && listWith(one.children, id)).find(Boolean) ?? undefined);
const numbered = (list: readonly Model[], prefix = ''): Record<string, string> =>
  Object.assign(
    {},
    ...list.map((one, at) => ({
      [one.id]: `${prefix}${at}`,
      ...numbered(one.children ?? [], `${prefix}${at}_`),
    })),
  ) as Record<string, string>;

const START: Model[] = [
  { id: 'a', children: null },
  {
    id: 'L',
    children: [
      { id: 'b', children: null },
      { id: 'I', children: [{ id: 'c', children: null }] },
      { id: 'd', children: null },
    ],
  },
  { id: 'e', children: null },
  { id: 'J', children: [] },
  { id: 'K', children: [{ id: 'M', children: [{ id: 'f', children: null }] }] },
];
function startOf(list: readonly Model[]): WorkflowDocument {
  const at = numbered(list);
  const steps = flat(list);
  return documentOf(
    steps
      .filter((one) => !one.children)
      .map(({ id }) => ({ note: `of ${id}`, id, index: at[id], more: { kept: true } })),
    steps
      .filter((one) => one.children)
      .map(({ id }) => ({ id, type: 'if', index: at[id], expression: '1 = 1', note: `of ${id}` })),
  );
}

describe('a sequence of edits', () => {
  const step = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'I', 'J', 'K', 'L', 'M');
  const edits = fc.array(
    fc.record({
      what: fc.constantFrom('move', 'move', 'move', 'add', 'remove'),
      id: step,
      parent: fc.option(step),
      position: fc.option(fc.nat({ max: 6 })),
    }),
    { minLength: 1, maxLength: 12 },
  );

  longIt(
    'keeps the walking order of a list model, gapless indexes, and all other step content',
    () => {
      let done = 0;
      fc.assert(
        fc.property(edits, (sequence) => {
          let document = startOf(START);
          const model = structuredClone(START);
          const notes = (one: WorkflowDocument): Record<string, unknown> =>
            Object.fromEntries(
              [...one.fromConnector.methods, ...one.fromConnector.operators].map(
                ({ index: _index, ...rest }) => [rest.id, rest],
              ),
            );
          for (const { what, id, parent, position } of sequence) {
            const before = notes(document);
            const target =
              parent === null ? model : flat(model).find((one) => one.id === parent)?.children;
            const own = listWith(model, id);
            const node = own?.find((one) => one.id === id);
            try {
              if (what === 'add') {
                const added = addStep(
                  document,
                  { kind: 'operator', fields: { type: 'if', expression: '1 = 1' } },
                  { parentStepId: parent, position },
                );
                document = added.document;
                target!.splice(position ?? target!.length, 0, { id: added.stepId, children: [] });
              } else if (what === 'remove') {
                document = removeStep(document, id);
                own!.splice(own!.indexOf(node!), 1);
              } else {
                document = moved(document, id, parent, position);
                own!.splice(own!.indexOf(node!), 1);
                target!.splice(position ?? target!.length, 0, node!);
              }
              done += 1;
            } catch (error) {
              if (!(error instanceof DomainError)) throw error;
              // Correct only if the model cannot do it either.
              const isInside =
                node !== undefined &&
                what === 'move' &&
                flat([node]).some((one) => one.id === parent);
              const room = target
                ? target.length - (what === 'move' && own === target ? 1 : 0)
                : -1;
              expect(
                (what !== 'add' && node === undefined) ||
                  isInside ||
                  (what !== 'remove' && (!target || (position ?? 0) > room)),
              ).toBe(true);
            }
            expect(indexes(document)).toEqual(numbered(model));
            expect(walking(document)).toEqual(flat(model).map((one) => one.id));
            expect(
              validateWorkflowSteps(document as any).filter(
                ({ code }) => code !== 'REQUEST_URL_IS_EMPTY',
              ),
            ).toEqual([]);
            expect(notes(document)).toMatchObject(
              Object.fromEntries(Object.entries(before).filter(([one]) => one in notes(document))),
            );
          }
        }),
        { numRuns: rounds(500) },
      );
      expect(done).toBeGreaterThan(rounds(500));
    },
  );

  it('keeps the order and removes gaps for indexes without their own steps, as in converted workflows', () => {
    const document = documentOf(
      [
        { id: 'a', index: '0_0' },
        { id: 'b', index: '0_10' },
        { id: 'c', index: '1_2_0' },
        { id: 'x', index: null },
      ],
      [
        { id: 'o', index: '0_2', type: 'if', expression: '1 = 1' },
        { id: 'p', index: '1_2', type: 'if', expression: '1 = 1' },
      ],
    );
    expect(indexes(moved(document, 'a', 'o', null))).toEqual({
      o: '0',
      a: '0_0',
      b: '1',
      p: '2',
      c: '2_0',
      x: null,
    });
    expect(indexes(moved(document, 'x', null, 0))).toEqual({
      x: '0',
      a: '1',
      o: '2',
      b: '3',
      p: '4',
      c: '4_0',
    });
  });
});

describe('a reference', () => {
  const LOOP = (id: string, index: string, more = {}): object => ({
    id,
    index,
    type: 'loop',
    expression: 'For({%#AAAAAA.(response).body.list%})',
    ...more,
  });
  const reader = (id: string, index: string, iterator: string, color = '#BBBBBB'): object => ({
    id,
    index,
    color,
    methodType: 'HTTP_REQUEST',
    request: {
      endpoint: `http://a.test/{%#AAAAAA.(response).body.list[${iterator}].id%}`,
      header: { 'X-A': `{%#AAAAAA.(response).header.x%}-\${p[${iterator}]}` },
      body: { fields: { deep: [`#AAAAAA.(response).success.list[${iterator}]`] } },
    },
  });
  const problems = (document: WorkflowDocument): string[] =>
    validateWorkflowSteps(document as any).map(({ code, stepId }) => `${stepId} ${code}`);
  const stepOf = (document: WorkflowDocument, id: string): any =>
    [...document.fromConnector.methods, ...document.fromConnector.operators].find(
      (one) => one.id === id,
    );

  it('is unchanged when the loop keeps its name, which is stored once its depth no longer implies it', () => {
    const document = documentOf(
      [SOURCE, reader('m', '2_0', 'i')],
      [LOOP('outer', '1', { iterator: 'x' }), LOOP('inner', '2')],
    );
    expect(problems(document)).toEqual([]);
    const after = moved(document, 'inner', 'outer', null);
    expect(problems(after)).toEqual([]);
    expect(stepOf(after, 'inner')).toMatchObject({ index: '1_0', iterator: 'i' });
    expect(stepOf(after, 'm')).toEqual({ ...reader('m', '1_0_0', 'i') });
    const back = moved(after, 'inner', null, null);
    expect([problems(back), stepOf(back, 'inner').iterator]).toEqual([[], 'i']);
  });

  it('follows a loop variable that an outer loop already uses, in requests, expressions, conditions and bindings', () => {
    const IF = {
      id: 'if',
      index: '2_0',
      type: 'if',
      expression: '(i = 1 && {%#AAAAAA.(response).body.list[i].ok%} = "i")',
      condition: {
        relationalOperator: '=',
        leftStatement: { color: '#AAAAAA', type: 'response', field: 'success.list[i].ok' },
        rightStatement: { color: '', type: '', field: '[i]' },
      },
    };
    const binding = {
      id: 'b',
      from: [{ color: '#AAAAAA', type: 'response', field: 'success.list[i].t' }],
      to: [{ color: '#BBBBBB', type: 'request', field: 'a[i]' }],
      enhancement: {
        expertVar: '//var VAR_0 = #AAAAAA.(response).success.list[i].t;',
        expertCode: 'RESULT_VAR = VAR_0[i];',
      },
    };
    const other = {
      ...binding,
      id: 'c',
      to: [{ color: '#CCCCCC', type: 'request', field: 'a[i]' }],
    };
    const document = documentOf(
      [SOURCE, reader('m', '2_0_0', 'i'), reader('n', '1_0', 'i', '#CCCCCC')],
      [
        LOOP('outer', '1'),
        LOOP('inner', '2', { expression: 'For({%#AAAAAA.(response).body.i%})' }),
        IF,
      ],
      [binding, other],
    );
    expect(problems(document)).toEqual([]);
    const after = moved(document, 'inner', 'outer', 0);
    expect(problems(after)).toEqual([]);
    expect(stepOf(after, 'inner')).toEqual(
      LOOP('inner', '1_0', { expression: 'For({%#AAAAAA.(response).body.i%})' }),
    );
    expect(stepOf(after, 'm')).toEqual(reader('m', '1_0_0_0', 'j'));
    expect(stepOf(after, 'n')).toEqual(reader('n', '1_1', 'i', '#CCCCCC'));
    expect(stepOf(after, 'if').expression).toBe(
      '(j = 1 && {%#AAAAAA.(response).body.list[j].ok%} = "i")',
    );
    expect(stepOf(after, 'if').condition).toMatchObject({
      leftStatement: { field: 'success.list[j].ok' },
      rightStatement: { field: '[i]' },
    });
    expect(after.fieldBinding).toEqual([
      {
        ...binding,
        from: [{ ...binding.from[0], field: 'success.list[j].t' }],
        to: [{ ...binding.to[0], field: 'a[j]' }],
        enhancement: {
          expertVar: '//var VAR_0 = #AAAAAA.(response).success.list[j].t;',
          expertCode: 'RESULT_VAR = VAR_0[i];',
        },
      },
      other,
    ]);
  });

  it('follows its own loop of several moved ones', () => {
    const document = documentOf(
      [SOURCE, reader('m', '2_0_0', 'j'), reader('n', '2_1', 'i', '#CCCCCC')],
      [
        LOOP('outer', '1'),
        LOOP('mid', '2'),
        LOOP('in', '2_0', { expression: 'ForIn({%#AAAAAA.(response).body.list[i].map%})' }),
      ],
    );
    expect(problems(document)).toEqual([]);
    const after = moved(document, 'mid', 'outer', null);
    expect(problems(after)).toEqual([]);
    expect(stepOf(after, 'in').expression).toBe('ForIn({%#AAAAAA.(response).body.list[j].map%})');
    expect([stepOf(after, 'm'), stepOf(after, 'n')]).toEqual([
      reader('m', '1_0_0_0', 'k'),
      reader('n', '1_0_1', 'j', '#CCCCCC'),
    ]);
  });

  it('keeps its meaning when an outer operator becomes a loop or stops being one', () => {
    const as = (document: WorkflowDocument, type: string): WorkflowDocument =>
      updateStep(document, 'outer', { kind: 'operator', fields: { type } });
    const [own, inner] = [
      (one: WorkflowDocument) => stepOf(one, 'in').iterator as unknown,
      (one: WorkflowDocument) => stepOf(one, 'm') as unknown,
    ];
    const decides = { id: 'outer', index: '1', type: 'if', expression: '1 = 1' };
    for (const [iterator, kept, renamed] of [
      [undefined, 'j', 'j'],
      ['row', undefined, 'row'],
      ['i', 'i', 'j'],
    ] as const) {
      // The inner loop is named by depth or explicitly; the references to its elements keep that name.
      const name = (depth: number): string => iterator ?? 'ij'[depth] ?? '';
      const more = iterator === undefined ? {} : { iterator };
      const looping = documentOf(
        [SOURCE, reader('m', '1_0_0', name(iterator === 'i' ? 0 : 1))],
        [LOOP('outer', '1', iterator === 'i' ? { iterator: 'x' } : {}), LOOP('in', '1_0', more)],
      );
      const ended = as(looping, 'if');
      // Only the references of the operator itself are those of a loop.
      expect([iterator, problems(ended), inner(ended)]).toEqual([
        iterator,
        ['outer EXPRESSION_SYNTAX'],
        inner(looping),
      ]);
      expect(own(ended)).toBe(kept ?? iterator);
      const deciding = documentOf(
        [SOURCE, reader('m', '1_0_0', name(0))],
        [decides, LOOP('in', '1_0', more)],
      );
      const begun = as(deciding, 'loop');
      expect([iterator, inner(begun)]).toEqual([iterator, reader('m', '1_0_0', renamed)]);
      expect(as(begun, 'if').fromConnector.methods).toEqual(begun.fromConnector.methods);
    }
  });

  it('follows a changed colour and loop variable, and a duplicate is rejected', () => {
    const changed = (
      document: WorkflowDocument,
      id: string,
      kind: 'method' | 'operator',
      fields: object,
    ): WorkflowDocument => updateStep(document, id, { kind, fields });
    const document = documentOf(
      [SOURCE, reader('m', '1_0', 'i')],
      [LOOP('loop', '1')],
      [
        {
          id: 'b',
          from: [{ color: '#aaaaaa', type: 'response', field: 'x' }],
          to: [{ color: '#BBBBBB', type: 'request', field: 'y' }],
        },
      ],
    );
    const recolored = changed(document, 's', 'method', { color: '#123456' });
    expect(problems(recolored)).toEqual([]);
    expect(JSON.stringify(recolored)).not.toMatch(/#AAAAAA/i);
    const renamed = changed(document, 'loop', 'operator', { iterator: 'row' });
    expect(problems(renamed)).toEqual([]);
    expect(stepOf(renamed, 'm')).toEqual(reader('m', '1_0', 'row'));
    expect(() => changed(document, 'm', 'method', { color: '#aaaaaa' })).toThrow(
      'Another method has the colour',
    );
    expect(() => changed(document, 'm', 'operator', {})).toThrow('This step is a method.');
    expect(() =>
      changed(documentOf([], [LOOP('a', '0'), LOOP('b', '0_0')]), 'b', 'operator', {
        iterator: 'i',
      }),
    ).toThrow('already uses the loop variable');
  });

  const anyEdit = fc.record({
    kind: fc.constantFrom('move', 'type', 'iterator'),
    nth: fc.nat(30),
    parent: fc.option(fc.nat(30)),
    iterator: fc.constantFrom(null, '', ...LOOP_VARIABLES),
  });

  /** @throws DomainError if the edit is rejected */
  function edited(
    document: WorkflowDocument,
    { kind, nth, parent, iterator }: FromArbitrary<typeof anyEdit>,
  ): WorkflowDocument {
    const { methods, operators } = document.fromConnector;
    if (kind === 'move') {
      const steps = [...methods, ...operators];
      const parentStep = parent === null ? undefined : operators[parent % operators.length];
      return moved(document, steps[nth % steps.length].id ?? '', parentStep?.id ?? null, null);
    }
    const operator = operators[nth % operators.length];
    if (!operator) return document;
    const fields =
      kind === 'iterator' ? { iterator } : { type: operator.type === 'loop' ? 'if' : 'loop' };
    return updateStep(document, operator.id, { kind: 'operator', fields });
  }

  it('refers to the same loop after any move, rename or change of an operator', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.array(stepShape(4), { minLength: 1, maxLength: 3 }),
        fc.array(anyEdit, { minLength: 1, maxLength: 5 }),
        (shapes, edits) => {
          let document = markedDocument(shapes);
          fc.pre(document !== null);
          const left = new Set<string>();
          expect(strayReferences(document, left)).toEqual([]);
          for (const edit of edits) {
            try {
              document = edited(document, edit);
              accepted += 1;
            } catch (error) {
              expect(error).toBeInstanceOf(DomainError);
            }
            expect(strayReferences(document, left)).toEqual([]);
          }
        },
      ),
      { numRuns: rounds(1_000) },
    );
    expect(accepted).toBeGreaterThan(rounds(500));
  });

  it('to a removed step is reported', () => {
    const document = documentOf([SOURCE, reader('m', '1', 'i')], []);
    expect(
      listSteps(buildTree(removeStep(document, 's')).roots).map(({ step }) => [
        step.id,
        step.index,
      ]),
    ).toEqual([['m', '0']]);
    expect(problems(removeStep(document, 's'))).toContain('m REFERENCE_COLOR_UNKNOWN');
  });
});

import fc from 'fast-check';
import {
  fromLegacyDocument as convertInTurns,
  isLegacyDocument,
} from '../../src/features/workflows/document/legacy-document';
import { readStored as readStoredInTurns } from '../../src/features/workflows/document/stored-document';
import { presentSteps } from '../../src/features/workflows/document/step.presenter';
import { Findings } from '../../src/platform/errors/findings';
import { readDocument } from '../../src/features/workflows/document/workflow-document';
import { longIt } from '../support/long';

/* Conversion of arbitrary documents of the 4.x line (spec 9.2). */

const readStored = (document: object) => readStoredInTurns(document as Fields);
const fromLegacyDocument = (document: object) => convertInTurns(document as Fields);

type Fields = Record<string, unknown>;
interface Part extends Fields {
  readonly mark: string;
  readonly index?: string;
}

const STEP_LISTS = new Set(['methods', 'operators']);
const KNOWN_FIELDS = [
  ...[
    'id',
    'nodeId',
    'index',
    'mark',
    'type',
    'expression',
    'condition',
    'connector',
    'methodType',
  ],
  ...['connectorId', 'title', 'invoker', 'toConnector', 'fromConnector', 'methods', 'operators'],
  ...['fieldBinding', 'categoryId', 'description', 'name', 'label', 'color', 'request', 'response'],
  'iterator',
];
/** Any unknown field of a step or container, including `__proto__`. */
const unknownFields = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  })
  .map((fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !KNOWN_FIELDS.includes(name))),
  );

interface Drawn {
  readonly isOperator: boolean;
  readonly gap: number;
  readonly fields: Fields;
  readonly inside: readonly Drawn[];
}
const stepsTo = (depth: number): fc.Arbitrary<Drawn[]> =>
  depth === 0
    ? fc.constant([])
    : fc.array(
        fc.record({
          isOperator: fc.boolean(),
          gap: fc.integer({ min: 0, max: 11 }),
          fields: unknownFields,
          inside: stepsTo(depth - 1),
        }),
        { maxLength: 4 },
      );

/** A side: steps numbered as by the old editor, siblings from 0, nested at will. */
const side = (name: string): fc.Arbitrary<{ methods: Part[]; operators: Part[] }> =>
  fc
    .record({
      tree: stepsTo(3),
      order: fc.infiniteStream(fc.nat()),
    })
    .map(({ tree, order }) => {
      const [methods, operators]: [Part[], Part[]] = [[], []];
      let count = 0;
      const walk = (steps: readonly Drawn[], above: string): void => {
        let at = 0;
        for (const step of steps) {
          at += step.gap;
          const index = `${above}${at}`;
          const part = {
            ...step.fields,
            mark: `${name}${count}`,
            nodeId: `${name}-${count}`,
            index,
          };
          count += 1;
          if (step.isOperator) {
            operators.push({
              ...part,
              type: 'if',
              condition: {
                relationalOperator: '=',
                leftStatement: { color: '', field: '1' },
                rightStatement: { color: '', field: '1' },
              },
            });
            walk(step.inside, `${index}_`);
          } else methods.push(part);
          at += 1;
        }
      };
      walk(tree, '');
      // The list may be unsorted.
      const shuffled = (list: Part[]): Part[] =>
        list
          .map((part) => ({ part, key: order.next().value }))
          .sort((a, b) => Number(a.key) - Number(b.key))
          .map(({ part }) => part);
      return { methods: shuffled(methods), operators: shuffled(operators) };
    });

const container = (name: string, connectorId: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> =>
  fc
    .record({
      steps: side(name),
      fields: unknownFields,
      connectorId,
      title: fc.string(),
      layout: fc.jsonValue(),
      invoker: fc.constantFrom({ name: `invoker ${name}`, operations: [1, 2] }, { name: '' }, null),
    })
    .map(({ steps, fields, connectorId: id, title, layout, invoker }) => ({
      ...fields,
      ...steps,
      connectorId: id,
      title,
      invoker,
      businessLayout: layout,
    }));

const realId = fc.integer({ min: 1, max: 2_147_483_647 });
const legacyDocument: fc.Arbitrary<Fields> = fc
  .record({
    fromConnector: container('from', realId),
    toConnector: container('to', realId),
    fields: unknownFields,
    fieldBinding: fc.array(
      fc.record({ from: fc.constant([]), to: fc.constant([]), note: fc.jsonValue() }),
    ),
  })
  .map(({ fields, ...rest }) => ({ ...fields, ...rest, title: 'Old' }));

const listOf = (document: Fields, sideName: string, list: string): Part[] =>
  ((document[sideName] as Fields | null)?.[list] ?? []) as Part[];
const partsOf = (document: Fields): Part[] =>
  ['fromConnector', 'toConnector'].flatMap((sideName) =>
    ['methods', 'operators'].flatMap((list) => listOf(document, sideName, list)),
  );

/** The complete source first, then the complete target; each by index part, parents before children, as the released line walks. */
function walked(document: Fields): string[] {
  const numbers = (part: Part): number[] => (part.index ?? '').split('_').map(Number);
  const before = (a: Part, b: Part): number => {
    const [left, right] = [numbers(a), numbers(b)];
    for (let at = 0; at < Math.min(left.length, right.length); at += 1)
      if (left[at] !== right[at]) return left[at] - right[at];
    return left.length - right.length;
  };
  return ['fromConnector', 'toConnector'].flatMap((sideName) =>
    [...listOf(document, sideName, 'methods'), ...listOf(document, sideName, 'operators')]
      .sort(before)
      .map(({ mark }) => mark),
  );
}

const marksInOrder = (document: Fields): string[] => {
  const byId = new Map(partsOf(document).map((part) => [part.id, part.mark]));
  return presentSteps(document as never).map(({ stepId }) => byId.get(stepId) ?? '?');
};

describe('conversion of a 4.x document', () => {
  longIt('keeps the walking order and the nesting of steps', () => {
    fc.assert(
      fc.property(legacyDocument, (document) => {
        const converted = readStored(document);
        expect(marksInOrder(converted)).toEqual(walked(document));
        const around = (index: string | undefined): string[] =>
          (index ?? '')
            .split('_')
            .map((_part, at, all) => all.slice(0, at).join('_'))
            .filter((one) => one !== '');
        const operators = new Map(
          listOf(converted, 'fromConnector', 'operators').map(({ index, mark }) => [index, mark]),
        );
        for (const [sideName, prefix] of [
          ['fromConnector', '0'],
          ['toConnector', '1'],
        ] as const) {
          const own = new Map(
            listOf(document, sideName, 'operators').map(({ index, mark }) => [index, mark]),
          );
          for (const part of [
            ...listOf(document, sideName, 'methods'),
            ...listOf(document, sideName, 'operators'),
          ]) {
            const inside = around(part.index).flatMap((index) => own.get(index) ?? []);
            expect(
              around(`${prefix}_${part.index}`).flatMap((index) => operators.get(index) ?? []),
            ).toEqual(inside);
          }
        }
      }),
    );
  });

  longIt('loses no field of the document, a container or a step', () => {
    fc.assert(
      fc.property(legacyDocument, (document) => {
        const before = JSON.stringify(document);
        const converted = fromLegacyDocument(document);
        expect(JSON.stringify(document)).toBe(before);
        for (const [name, value] of Object.entries(document))
          if (!['fromConnector', 'toConnector'].includes(name))
            expect(Object.entries(converted)).toContainEqual([name, value]);
        const holder = converted.fromConnector as Fields;
        const held = (value: unknown): number =>
          Object.values(holder).filter((one) => JSON.stringify(one) === JSON.stringify(value))
            .length;
        const kept = ['fromConnector', 'toConnector'].flatMap((sideName) =>
          Object.entries(document[sideName] as Fields)
            .filter(([name]) => !STEP_LISTS.has(name))
            .map(([, value]) => value),
        );
        for (const value of kept)
          expect(held(value)).toBeGreaterThanOrEqual(
            kept.filter((one) => JSON.stringify(one) === JSON.stringify(value)).length,
          );
        const steps = new Map(partsOf(converted).map((part) => [part.mark, part]));
        expect(steps.size).toBe(partsOf(document).length);
        for (const { index: _index, ...fields } of partsOf(document))
          expect(steps.get(fields.mark)).toMatchObject(fields);
        expect(converted).toMatchObject({
          toConnector: null,
          fromConnector: { connectorId: -1, title: 'DEFAULT' },
        });
      }),
    );
  });

  longIt('assigns each method its own connector and leaves its type unset', () => {
    fc.assert(
      fc.property(legacyDocument, (document) => {
        const steps = new Map(
          partsOf(fromLegacyDocument(document)).map((part) => [part.mark, part]),
        );
        for (const sideName of ['fromConnector', 'toConnector']) {
          const { connectorId, title } = document[sideName] as Fields;
          for (const { mark } of listOf(document, sideName, 'methods'))
            expect(steps.get(mark)).toMatchObject({
              methodType: null,
              connector: { connectorId, title },
            });
        }
      }),
    );
  });

  longIt('is idempotent and deterministic, including step ids', () => {
    fc.assert(
      fc.property(legacyDocument, (document) => {
        const withoutIds = JSON.parse(
          JSON.stringify(document, (name, value: unknown) =>
            name === 'nodeId' ? undefined : value,
          ),
        ) as Fields;
        const converted = readStored(withoutIds);
        expect(isLegacyDocument(converted)).toBe(false);
        expect(readStored(withoutIds)).toEqual(converted);
        expect(readStored(converted)).toBe(converted);
        const ids = partsOf(converted).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('gives every operator an expression, so that the result can be saved', () => {
    fc.assert(
      fc.property(legacyDocument, (document) => {
        const found = new Findings();
        const read = readDocument(document, found);
        found.refuse();
        expect(
          read?.fromConnector.operators.every(({ expression }) => expression === '("1" = "1")'),
        ).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a half-converted document', () => {
  const step = (index: string, more: Fields = {}): Part => ({
    mark: index,
    id: `id ${index}`,
    index,
    ...more,
  });

  it('keeps the converted part and appends the second container', () => {
    const document = {
      title: 'Half',
      fromConnector: {
        connectorId: -1,
        title: 'DEFAULT',
        methods: [
          step('0_0', { methodType: 'CONNECTOR', connector: { connectorId: 5 } }),
          step('0_1_0'),
        ],
        operators: [step('0_1', { type: 'if', expression: '1 = 1' })],
      },
      toConnector: {
        connectorId: 7,
        title: 'Target',
        methods: [step('0'), step('2_0', { methodType: 'HTTP_REQUEST', connector: null })],
        operators: [],
      },
    };
    const { fromConnector } = readStored(document);
    expect(
      fromConnector.methods.map(({ mark, index, connector, methodType }) => [
        mark,
        index,
        (connector as Fields | undefined)?.connectorId,
        methodType,
      ]),
    ).toEqual([
      ['0_0', '0_0', 5, 'CONNECTOR'],
      ['0_1_0', '0_1_0', undefined, null],
      ['0', '1_0', 7, null],
      ['2_0', '1_2_0', undefined, 'HTTP_REQUEST'],
    ]);
    expect(fromConnector.operators.map(({ index }) => index)).toEqual(['0_1']);
  });

  it('keeps the order when one container has steps of both sides and the other has more', () => {
    const document = {
      fromConnector: {
        connectorId: -1,
        title: 'DEFAULT',
        methods: [step('0_0'), step('1_0'), step('3')],
        operators: [],
      },
      toConnector: {
        connectorId: 7,
        methods: [step('0')],
        operators: [step('1', { type: 'loop', condition: {} })],
      },
    };
    expect(readStored(document).fromConnector.methods.map(({ index }) => index)).toEqual([
      '0_0_0',
      '0_1_0',
      '0_3',
      '1_0',
    ]);
    expect(presentSteps(readStored(document)).map(({ stepId }) => stepId)).toEqual([
      'id 0_0',
      'id 1_0',
      'id 3',
      'id 0',
      'id 1',
    ]);
  });

  it('has one real container, and an absent or empty second one', () => {
    const alone = {
      title: 'x',
      fromConnector: { connectorId: 3, title: 'Source', methods: [step('0')], operators: [] },
      toConnector: null,
    };
    expect(isLegacyDocument(alone)).toBe(true);
    expect(readStored(alone).fromConnector).toMatchObject({
      connectorId: -1,
      methods: [{ index: '0_0', connector: { connectorId: 3, title: 'Source' }, methodType: null }],
    });
    const saved = {
      fromConnector: {
        connectorId: 0,
        invoker: { name: '' },
        methods: [step('0_0'), step('1_0')],
        operators: [],
      },
      toConnector: { connectorId: 0, methods: [], operators: [] },
    };
    expect(
      readStored(saved).fromConnector.methods.map(({ index, connector }) => [index, connector]),
    ).toEqual([
      ['0_0', undefined],
      ['1_0', undefined],
    ]);
    expect(
      readStored({ fromConnector: null, toConnector: { connectorId: 9, methods: [step('0')] } })
        .fromConnector.methods,
    ).toMatchObject([{ index: '1_0', connector: { connectorId: 9 } }]);
  });

  it.each([
    { connectorId: -1 },
    { connectorId: 0 },
    {},
    { connectorId: null },
    { connectorId: 'x' },
  ])('is not recognised without parts of the 4.x line: %j', (more) => {
    expect(
      isLegacyDocument({
        fromConnector: { title: 'DEFAULT', methods: [], operators: [], ...more },
        toConnector: null,
      }),
    ).toBe(false);
  });
});

import fc from 'fast-check';
import { conditionToExpression, expressionToCondition } from '../../src/engine';
import { fillSlots } from '../../src/features/templates/body/connector-slots';
import { templateBody } from '../../src/features/templates/body/template-body';
import { readStored } from '../../src/features/workflows/document/stored-document';
import { presentSteps } from '../../src/features/workflows/document/step.presenter';
import { withoutNotes } from '../../src/features/workflows/document/two-containers';
import type { WorkflowDocument } from '../../src/features/workflows/document/workflow-document';
import { rounds } from '../support/rounds';
import {
  asSentBy5x,
  condition,
  container,
  containersOf,
  EMPTY,
  loopCondition,
  released,
  requireSavableBy4x,
  save,
  statement,
  stepsOf,
  toTwoContainers,
  written,
} from '../support/documents/two-containers';
import type { Fields } from '../support/documents/two-containers';

describe('a document that a 4.x client writes', () => {
  it('comes back to it as it was written, and is unchanged when it is written again', () => {
    fc.assert(
      fc.property(written, (sent) => {
        const stored = save(sent);
        expect(toTwoContainers(stored)).toEqual({ document: sent, readOnly: null });
        const again = save(toTwoContainers(stored).document, stored);
        expect(again).toEqual(stored);
      }),
    );
  });

  it('comes back as it was stored by a 4.x installation', () => {
    fc.assert(
      fc.property(written, (sent) => {
        const read = readStored(sent);
        expect(toTwoContainers(read)).toEqual({ document: sent, readOnly: null });
      }),
      { numRuns: rounds(100) },
    );
  });

  it('is a document of one container for every other client', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (sent) => {
        const stored = save(sent);
        const shown = await released().present(stored, '5.x');
        expect(shown).toEqual(withoutNotes(stored));
        expect(Object.keys(shown)).not.toContain('twoContainers');
        expect(shown.toConnector).toBeNull();
        expect(
          stepsOf(shown.fromConnector)
            .map(({ index }) => index)
            .sort(),
        ).toEqual(
          containersOf(sent)
            .flatMap((side, at) => stepsOf(side).map(({ index }) => `${at}_${index}`))
            .sort(),
        );
      }),
      { numRuns: rounds(100) },
    );
  });

  it('keeps everything that a save of a 5.x client does not change', () => {
    fc.assert(
      fc.property(written, fc.nat(), (sent, nth) => {
        const before = save(sent);
        const edited = asSentBy5x(before);
        const { methods } = edited.fromConnector as { methods: Fields[] };
        const changed = methods.at(methods.length === 0 ? 0 : nth % methods.length);
        if (changed) changed.label = 'Changed';
        const stored = save({ ...edited, description: 'Changed' }, before);
        const view = toTwoContainers(stored);
        const expected = structuredClone(sent);
        expected.description = 'Changed';
        const target = stepsOf(expected.fromConnector)
          .concat(stepsOf(expected.toConnector))
          .find(({ color }) => color !== undefined && color === changed?.color);
        if (target) Object.assign(target, { label: 'Changed' });
        // The 5.x client knows no `businessLayout` of the document.
        delete expected.businessLayout;
        expect(view).toEqual({ document: JSON.parse(JSON.stringify(expected)), readOnly: null });
      }),
    );
  });

  it('keeps the sides of the other steps when a 5.x client renumbers, adds and removes steps', () => {
    const sent = {
      title: 'Tickets',
      fromConnector: {
        connectorId: 3,
        invoker: { name: 'a' },
        businessLayout: { id: 'source' },
        methods: [
          { name: 'Get', index: '1_0', color: '#0000AA' },
          { name: 'Gone', index: '2', color: '#0000AB' },
        ],
        operators: [{ index: '1', type: 'loop', condition: looping('success.items') }],
      },
      toConnector: {
        connectorId: 4,
        invoker: { name: 'b' },
        methods: [{ name: 'Put', index: '7', color: '#0000AC' }],
        operators: [],
      },
      fieldBinding: [],
    };
    const before = save(sent);
    const edited = asSentBy5x(before);
    const { methods, operators } = edited.fromConnector as Record<string, Fields[]>;
    Object.assign(operators[0], { index: '0' });
    const numbered: Record<string, string> = { Get: '0_0', Put: '2' };
    edited.fromConnector = {
      methods: [
        ...methods.flatMap((step) =>
          step.name === 'Gone' ? [] : [{ ...step, index: numbered[step.name as string] }],
        ),
        { id: 'new', name: 'New', index: '1', color: '#0000AD', connector: { connectorId: 4 } },
      ],
      operators,
    };
    const { document, readOnly } = toTwoContainers(save(edited, before));
    expect(readOnly).toBeNull();
    expect(document.fromConnector).toEqual({
      ...sent.fromConnector,
      methods: [{ ...sent.fromConnector.methods[0], index: '0_0' }],
      operators: [{ ...sent.fromConnector.operators[0], index: '0' }],
    });
    expect(document.toConnector).toEqual({
      ...sent.toConnector,
      methods: [
        { ...sent.toConnector.methods[0], index: '1' },
        { name: 'New', index: '0', color: '#0000AD' },
      ],
    });
  });
});

function looping(field: string): Fields {
  return {
    leftStatement: statement('#0000AA', field),
    relationalOperator: '',
    rightStatement: EMPTY,
  };
}

const calling = (index: string, connectorId: number | null, more: Fields = {}): Fields => ({
  id: `m${index}`,
  index,
  name: `Operation ${index}`,
  color: `#1${index.replaceAll('_', 'F').padStart(5, '0')}`,
  methodType: 'CONNECTOR',
  connector: connectorId && { connectorId, title: `C${connectorId}`, invoker: { name: 'echo' } },
  ...more,
});
const deciding = (index: string, expression: string, type = 'if'): Fields => ({
  id: `o${index}`,
  index,
  type,
  expression,
});
const newer = (methods: Fields[], operators: Fields[] = [], more: Fields = {}): Fields => ({
  title: 'Newer',
  fromConnector: { connectorId: -1, title: 'DEFAULT', methods, operators },
  toConnector: null,
  fieldBinding: [],
  ...more,
});

/** The steps in their order, without what differs between the clients. */
const stepFacts = (stored: WorkflowDocument): unknown[] =>
  presentSteps(stored).map(({ index: _index, side: _side, ...step }) => ({
    ...step,
    condition: null,
    connector: 'connector' in step ? step.connector?.connectorId : null,
  }));

/** Numbers the first level of a converted document as clients of the 5.0 shape do. */
function withPlainIndexes(document: Fields): Fields {
  const { methods, operators } = document.fromConnector as Record<string, Fields[]>;
  const roots = new Map<string, number>();
  for (const { index } of presentSteps(document as never)) {
    const root = String(index).split('_', 2).join('_');
    roots.set(root, roots.get(root) ?? roots.size);
  }
  const renumbered = (step: Fields): Fields => {
    const parts = String(step.index).split('_');
    return {
      ...step,
      index: [roots.get(parts.slice(0, 2).join('_')), ...parts.slice(2)].join('_'),
    };
  };
  return {
    ...document,
    fromConnector: {
      ...(document.fromConnector as Fields),
      methods: methods.map(renumbered),
      operators: operators.map(renumbered),
    },
  };
}

describe('a workflow of the 5.0 shape', () => {
  const document = newer(
    [calling('0', 8), calling('1_0', 8, { retries: 2 }), calling('2', 9), calling('3_0', 9)],
    [
      deciding('1', 'For({%#100000.(response).body.items%})', 'loop'),
      deciding('3', '({%#100002.(response).body.count%} >= 4)'),
    ],
    { ui: { viewport: { zoom: 2 } }, icon: 'x.png', description: 'Both' },
  );

  it('is shown with two sides if its calls allow that', () => {
    expect(toTwoContainers(save(document))).toMatchObject({
      readOnly: null,
      document: {
        title: 'Newer',
        fromConnector: {
          connectorId: 8,
          title: 'C8',
          invoker: { name: 'echo' },
          methods: [{ index: '0' }, { index: '1_0' }],
          operators: [
            {
              index: '1',
              condition: {
                leftStatement: { color: '#100000', type: 'response', field: 'success.items' },
                relationalOperator: '',
                rightStatement: EMPTY,
              },
            },
          ],
        },
        toConnector: {
          connectorId: 9,
          methods: [{ index: '0' }, { index: '1_0' }],
          operators: [
            { index: '1', condition: { relationalOperator: '>=', rightStatement: { field: 4 } } },
          ],
        },
      },
    });
  });

  it('keeps ids, expressions and newer fields when a 4.x client saves it', () => {
    const before = save(document);
    const { document: view } = toTwoContainers(before);
    const { ui: _ui, icon: _icon, ...sent } = view;
    for (const step of containersOf(sent).flatMap(stepsOf)) delete step.retries;
    const after = save(sent, before);
    expect(stepFacts(after)).toEqual(stepFacts(before));
    expect(after).toMatchObject({ ui: { viewport: { zoom: 2 } }, icon: 'x.png' });
    expect(toTwoContainers(after).document).toEqual(sent);
  });

  it('is shown and kept in the spelling of each client', () => {
    const text = (part: string): string => `#100000.(response).${part}.id`;
    const binding = (id: object, from: string, to: string, part: string): Fields => ({
      ...id,
      from: [{ color: '#100000', type: 'response', field: from }],
      to: [{ color: '#100001', type: 'request', field: to }],
      enhancement: { expertVar: `//var VAR_0 = ${text(part)};`, expertCode: 'RESULT_VAR = 1;' },
    });
    const request = (part: string): Fields => ({
      endpoint: `{url}/{%${text(part)}%}`,
      body: { type: 'object', format: 'json', data: 'raw', fields: { a: [text(part)] } },
    });
    const before = save(
      newer([calling('0', 8), calling('1', 8, { request: request('body') })], [], {
        fieldBinding: [binding({ id: 'b1' }, 'body.id', 'body.Ticket', 'body')],
      }),
    );
    const { document: view } = toTwoContainers(before) as any;
    expect(view.fromConnector.methods[1].request).toEqual(request('success'));
    const shown = binding({}, 'success.id', 'Ticket', 'success');
    expect(view.fieldBinding).toEqual([{ ...shown, id: 'b1' }]);
    view.fieldBinding = [shown];
    const after = save(view, before);
    expect(after.fromConnector.methods).toEqual(
      before.fromConnector.methods.map((step, at) => ({ ...step, index: `0_${at}` })),
    );
    expect(after.fieldBinding).toEqual(before.fieldBinding);
    expect(toTwoContainers(after).document).toEqual(view);
    view.fieldBinding[0].enhancement.expertCode = 'RESULT_VAR = 2;';
    view.fromConnector.methods[1].request.endpoint = '{url}/changed';
    const changed = save(view, after) as any;
    expect(changed.fieldBinding[0]).toMatchObject({
      id: 'b1',
      from: [{ field: 'body.id' }],
      enhancement: { expertVar: expect.stringContaining('body.id'), expertCode: 'RESULT_VAR = 2;' },
    });
    expect(changed.fromConnector.methods[1].request).toEqual({
      ...request('body'),
      endpoint: '{url}/changed',
    });
    expect(toTwoContainers(changed).document).toEqual(view);
  });

  it('keeps its order, ids and expressions over any number of saves of both clients', () => {
    fc.assert(
      fc.property(written, (drawn) => {
        const before = save(withPlainIndexes(asSentBy5x(save(drawn))));
        expect(before).not.toHaveProperty('twoContainers');
        let stored = before;
        for (let round = 0; round < 2; round += 1) {
          const { document: view, readOnly } = toTwoContainers(stored);
          expect(readOnly).toBeNull();
          stored = save(view, stored);
          expect(toTwoContainers(stored).document).toEqual(view);
          expect(stepFacts(stored)).toEqual(stepFacts(before));
          stored = save(asSentBy5x(stored), stored);
          expect(toTwoContainers(stored).document).toEqual(view);
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  it('changes only the expression whose condition a 4.x client changes', () => {
    const before = save(document);
    const sent = structuredClone(toTwoContainers(before).document) as any;
    sent.toConnector.operators[0].condition.rightStatement.field = 5;
    const { operators } = save(sent, before).fromConnector;
    expect(operators.map(({ expression }) => expression)).toEqual([
      'For({%#100000.(response).body.items%})',
      '({%#100002.(response).success.count%} >= "5")',
    ]);
  });

  it('is refused when a 4.x client sends methods without a connector', () => {
    const sent = toTwoContainers(save(document)).document as any;
    expect(() => requireSavableBy4x(sent, null)).not.toThrow();
    sent.toConnector.connectorId = 0;
    expect(() => requireSavableBy4x(sent, save(document))).toThrow(
      expect.objectContaining({ code: 'CONNECTOR_NOT_FOUND' }),
    );
  });

  it('names its only connector on both sides', () => {
    expect(toTwoContainers(save(newer([calling('0', 8)])))).toMatchObject({
      readOnly: null,
      document: { fromConnector: { connectorId: 8 }, toConnector: { connectorId: 8, methods: [] } },
    });
  });

  it.each([
    ['three connectors', [calling('0', 8), calling('1', 9), calling('2', 10)], [], /3 connectors/],
    ['a plain request', [calling('0', null)], [], /"Operation 0" \(index 0\) calls no connector/],
    ['a webhook', [calling('0', 8, { methodType: 'WEBHOOK' })], [], /calls no connector/],
    ['a jump', [calling('0', 8, { jump: '3' })], [], /jumps to another step/],
    [
      'alternating calls',
      [calling('0', 8), calling('1', 9), calling('2', 8)],
      [],
      /"C8" run after or between those that call "C9", such as the step "Operation 2"/,
    ],
    [
      'calls of both in one loop',
      [calling('0_0', 8), calling('0_1', 9)],
      [deciding('0', 'For({%#100000.(response).body.x%})', 'loop')],
      /run after or between/,
    ],
    ['two comparisons', [], [deciding('0', '1 = 1 && 2 = 2')], /cannot be written as a condition/],
    [
      'a status',
      [],
      [deciding('0', '{%#100000.(response).status%} = 200')],
      /cannot be written as a condition/,
    ],
  ])(
    'is read-only for a 4.x client, and refused, with %s',
    async (_what, methods, operators, reason) => {
      const stored = save(newer(methods, operators, { description: 'Mine' }));
      const shown = (await released().present(stored, '4.x')) as any;
      expect(shown.description).toMatch(/^Read-only in this client: .*\n\nMine$/s);
      expect(shown.description).toMatch(reason);
      expect(shown.fromConnector.methods).toHaveLength(methods.length);
      expect(shown.toConnector).toMatchObject({ methods: [], operators: [] });
      const needsNewer = expect.objectContaining({ code: 'WORKFLOW_NEEDS_5X_CLIENT' });
      expect(() => requireSavableBy4x({ ...shown, description: '' }, stored)).toThrow(needsNewer);
      expect(() => requireSavableBy4x({ ...shown, title: 'Copy' }, null)).toThrow(needsNewer);
      expect(await released().present(stored, '5.x')).toEqual(withoutNotes(stored));
    },
  );

  it('gets current titles and invokers of its connectors', async () => {
    const current = released([[8, { title: 'Renamed', invoker: 'other' }]]);
    const shown = await current.present(save(document), '4.x');
    expect(shown.fromConnector).toMatchObject({ title: 'Renamed', invoker: { name: 'other' } });
    expect(shown.toConnector).toMatchObject({ title: 'C9', invoker: { name: 'echo' } });
  });
});

describe('conditions and expressions', () => {
  it('are the same in both directions', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          condition.map((one) => ['if', one] as const),
          loopCondition.map((one) => ['loop', one] as const),
        ),
        ([type, one]) => {
          const expression = conditionToExpression({ type, condition: one }) ?? '';
          const back = expressionToCondition(type, expression);
          expect(back).not.toBeNull();
          expect(conditionToExpression({ type, condition: back })).toBe(expression);
        },
      ),
    );
  });

  it.each([
    ['if', '{%#0000AA.(response).success.a%} = null', 'IsNull'],
    ['if', '({%#0000AA.(request).a%} REGEX "a")', 'RegExp'],
    ['loop', '{%#0000AA.(response).body.a%}', ''],
  ])('has a name that the 4.x client knows: %s %s', (type, expression, name) => {
    expect(expressionToCondition(type, expression)?.relationalOperator).toBe(name);
  });

  it.each([
    '!({%#0000AA.(response).success.a%} = 1)',
    '{%#0000AA.(response).success.a%} + 1 = 2',
    '{%#0000AA.(response).header.X%} = "a"',
    '{%#0000AA.(response).success.a%} = ["a"]',
    '{%#0000AA.(response).success.a%} = "${b}"',
    'i = 1',
    'broken (',
  ])('are not the same if no condition expresses it: %s', (expression) => {
    expect(expressionToCondition('if', expression)).toBeNull();
  });
});

describe('a template of a document that a 4.x client wrote', () => {
  it('keeps the containers, with other connectors', async () => {
    await fc.assert(
      fc.asyncProperty(written, container(4, '1'), async (drawn, toConnector) => {
        const sent: Fields = { ...drawn, toConnector };
        const stored = save(sent);
        const { document: body, connectors } = templateBody(stored, '5.0', 'workflow');
        expect(JSON.stringify(body)).not.toMatch(/"connectorId":[34]\b/);
        const imported = templateBody(body, '5.0', 'file');
        expect(imported).toMatchObject({ document: body, connectors });
        const chosen = new Map(
          connectors.map(({ invoker, title }, at) => [
            at + 1,
            { id: invoker === 'invoker 3' ? 13 : 14, invoker: invoker ?? '', title },
          ]),
        );
        const view = toTwoContainers(save(fillSlots(body, connectors, chosen)));
        expect(view.readOnly).toBeNull();
        const shownSteps = (document: Fields): unknown[] =>
          containersOf(document).map(({ connectorId, businessLayout, methods, operators }) => [
            Number(connectorId) % 10,
            businessLayout,
            methods,
            operators,
          ]);
        expect(shownSteps(view.document)).toEqual(shownSteps(sent));
      }),
      { numRuns: rounds(100) },
    );
  });
});

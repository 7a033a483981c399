import fc from 'fast-check';
import { toTwoContainers as viewInSlices } from '../../../src/features/workflows/document/two-container-view';
import { readDocument } from '../../../src/features/workflows/document/workflow-document';
import type { WorkflowDocument } from '../../../src/features/workflows/document/workflow-document';
import {
  ReleasedDocuments,
  requireSavableBy4x as requireSavableInSlices,
} from '../../../src/features/workflows/released-documents.service';
import { Findings } from '../../../src/platform/errors/findings';

/* Documents as 4.x clients write them, and as 5.x clients send them back. */

export type Fields = Record<string, unknown>;
export type Step = Fields & { readonly index: string };

/** Saves a document, and reads it from the store. */
export function save(sent: object, stored: WorkflowDocument | null = null): WorkflowDocument {
  const found = new Findings();
  const read = readDocument(sent, found, stored);
  found.refuse();
  return JSON.parse(JSON.stringify(read)) as WorkflowDocument;
}

export const toTwoContainers = (document: WorkflowDocument) => viewInSlices(document);
export const requireSavableBy4x = (sent: unknown, stored: WorkflowDocument | null): void =>
  requireSavableInSlices(sent, stored);

/** Documents as both clients see them, with these current connectors. */
export const released = (known: readonly [number, { title: string; invoker: string }][] = []) =>
  new ReleasedDocuments(
    { facts: async (ids) => new Map(known.filter(([id]) => ids.includes(id))) },
    { byName: async () => null },
  );

export const containersOf = (document: Fields): Fields[] => [
  document.fromConnector as Fields,
  document.toConnector as Fields,
];
export const stepsOf = (container: unknown): Step[] => {
  const { methods, operators } = container as { methods: Step[]; operators: Step[] };
  return [...methods, ...operators];
};

export const statement = (color: string, field: unknown, rightPropertyValue = ''): Fields => ({
  color,
  type: color === '' ? '' : 'response',
  field,
  rightPropertyValue,
});
export const EMPTY = statement('', '');
const IF_RELATIONS = ['=', '!=', '<', '>=', 'Like', 'RegExp', 'IsTypeOf', 'AllowList', 'Contains'];
export const condition = fc.oneof(
  fc.record({
    leftStatement: fc.constantFrom(
      statement('#0000AA', 'success.a.b[i].c'),
      statement('#0000AB', 'fail.list[*]', 'id'),
    ),
    relationalOperator: fc.constantFrom(...IF_RELATIONS),
    rightStatement: fc.constantFrom(
      statement('', 4),
      statement('', 'text "x"'),
      statement('', '${name:string}'),
      statement('#0000AB', 'success.x'),
    ),
  }),
  fc.record({
    leftStatement: fc.constant(statement('#0000AA', 'success.a')),
    relationalOperator: fc.constantFrom('IsNull', 'NotEmpty'),
    rightStatement: fc.constantFrom(EMPTY, null),
  }),
);
/** A loop over a list has an empty name, as the 4.x client sends it. */
export const loopCondition = fc.record({
  leftStatement: fc.constant(statement('#0000AA', 'success.items')),
  relationalOperator: fc.constantFrom('', 'forin', 'SplitString'),
  rightStatement: fc.constantFrom(EMPTY, statement('', ',')),
});

const body = fc.constantFrom(
  null,
  { type: 'object', format: 'json', data: 'raw', fields: { a: '#0000AA.(response).success.x' } },
  { bare: [1, { type: 'x' }] },
);
const stepFields = fc.record({
  isLoop: fc.boolean(),
  gap: fc.integer({ min: 0, max: 11 }),
  label: fc.option(fc.string(), { nil: undefined }),
  body,
  condition,
  loopCondition,
});
type Drawn =
  typeof stepFields extends fc.Arbitrary<infer T>
    ? T & { isOperator: boolean; inside: Drawn[] }
    : never;
const tree = (depth: number): fc.Arbitrary<Drawn[]> =>
  depth === 0
    ? fc.constant([])
    : (fc.array(
        fc
          .tuple(stepFields, fc.boolean(), tree(depth - 1))
          .map(([fields, isOperator, inside]) => ({ ...fields, isOperator, inside })),
        { maxLength: 3 },
      ) as fc.Arbitrary<Drawn[]>);

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The steps of one side as the 4.x client numbers and sends them: without ids and expressions. */
function stepsIn(drawn: readonly Drawn[], digit: string): { methods: Step[]; operators: Step[] } {
  const [methods, operators]: [Step[], Step[]] = [[], []];
  const walk = (steps: readonly Drawn[], above: string): void => {
    let at = 0;
    for (const { isOperator, isLoop, inside, label, gap, ...step } of steps) {
      at += gap;
      const index = `${above}${at}`;
      at += 1;
      if (isOperator) {
        operators.push(
          defined({
            index,
            type: isLoop ? 'loop' : 'if',
            condition: isLoop ? step.loopCondition : step.condition,
            dataAggregator: null,
            iterator: isLoop ? 'i' : undefined,
          }) as Step,
        );
        walk(inside, `${index}_`);
      } else
        methods.push(
          defined({
            name: `Operation ${methods.length}`,
            request: { endpoint: '{url}/x', method: 'POST', body: step.body },
            response: { success: { status: '200', body: null }, fail: null },
            dataAggregator: null,
            index,
            label,
            color: `#${digit}${methods.length.toString(16).padStart(5, '0')}`,
          }) as Step,
        );
    }
  };
  walk(drawn, '');
  return { methods: methods.reverse(), operators };
}

export const container = (id: number, digit: string): fc.Arbitrary<Fields> =>
  fc
    .record({
      steps: tree(3),
      more: fc.constantFrom(
        {},
        { title: `Connector ${id}`, icon: 'x.png', sslCert: false },
        { businessLayout: { id: 1, arrows: [{ from: 1, to: 2 }], svgItems: [] } },
        JSON.parse('{"__proto__":{"x":1},"later":[null]}') as Fields,
      ),
    })
    .map(({ steps, more }) => ({
      connectorId: id,
      invoker: { name: `invoker ${id}` },
      ...stepsIn(steps, digit),
      ...more,
    }));

const binding = fc.record({
  from: fc.constant([{ color: '#0000AA', field: 'success.x', type: 'response' }]),
  to: fc.string({ minLength: 1 }).map((field) => [{ color: '#100000', field, type: 'request' }]),
  enhancement: fc.constant({ name: 'n', language: 'js', expertCode: 'RESULT_VAR = VAR_0;' }),
});
export const written: fc.Arbitrary<Fields> = fc
  .record({
    from: container(3, '0'),
    to: fc.constantFrom(3, 4).chain((id) => container(id, '1')),
    fieldBinding: fc.array(binding, { maxLength: 3 }),
    more: fc.constantFrom(
      {},
      { description: 'As written', categoryId: null },
      { ui: { viewport: { x: 1 } }, businessLayout: { id: 'whole' } },
    ),
  })
  .map(({ from, to, fieldBinding, more }) => ({
    title: 'Tickets',
    fromConnector: from,
    toConnector: to,
    fieldBinding,
    ...more,
  }));

/** What a 5.x client sends of a document that it has read: the fields that it knows. */
export function asSentBy5x(document: Fields): Fields {
  const { methods, operators } = document.fromConnector as { methods: Step[]; operators: Step[] };
  const pick = (part: Fields, names: readonly string[]): Fields =>
    defined(Object.fromEntries(names.map((name) => [name, part[name]])));
  const METHOD = 'id name label index methodType dataAggregator color connector request response';
  const OPERATOR = 'id index type dataAggregator expression iterator';
  return {
    ...pick(document, ['title', 'description', 'categoryId', 'fieldBinding', 'ui']),
    fromConnector: {
      connectorId: -1,
      title: 'DEFAULT',
      methods: methods.map((step) => pick(step, METHOD.split(' '))),
      operators: operators.map((step) => pick(step, OPERATOR.split(' '))),
    },
    toConnector: null,
  };
}

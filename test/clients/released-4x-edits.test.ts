import fc from 'fast-check';
import { imported, TICKETS } from '../support/documents/connector-invokers';
import { containersOf, stepsOf, written } from '../support/documents/two-containers';
import type { Fields } from '../support/documents/two-containers';
import { client4x, connector4x } from '../support/browser/released-pages';
import { rounds } from '../support/rounds';
import { testService, unique } from '../support/service/harness';

/* Workflows of 4.x clients that are edited by single steps, as the editor of the dashboard does. */

interface Step {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly side: 'FROM' | 'TO' | null;
  readonly color?: string;
  readonly expression?: string;
}

const service = testService();
const SHOWN =
  'workflow { steps { stepId parentStepId side ... on MethodStep { color } ... on OperatorStep { expression } } fieldBindings { bindingId } } userErrors { code message }';

let connectorIds: Record<number, number>;
let invoker: string;
beforeAll(async () => {
  invoker = await imported(service, {
    ...TICKETS,
    operations: [{ name: 'Test', type: 'test', endpoint: '{url}/healthz' }],
  });
  const connector = (): Promise<number> => connector4x(client4x(service), invoker, service.url);
  connectorIds = { 3: await connector(), 4: await connector() };
});

/** A document with connectors that exist. */
function withConnectors(sent: Fields): Fields {
  const copy = structuredClone({ ...sent, title: unique('Tickets ') }) as Fields;
  for (const container of containersOf(copy)) {
    container.connectorId = connectorIds[container.connectorId as number];
    container.invoker = { name: invoker };
    delete container.title;
    // The service rejects this name.
    Reflect.deleteProperty(container, '__proto__');
  }
  return copy;
}

/** What a 4.x client sees, without the id of the version, which each save replaces. */
async function readBy4x(id: number): Promise<Fields> {
  const { nodeId: _version, ...document } = await client4x(service).read('GET', `connection/${id}`);
  return document;
}

const edit = async (name: string, workflowId: number, input: object) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const data = await service.data(
    `mutation($input: ${type}) { ${name}(input: $input) { ${SHOWN} } }`,
    { input: { workflowId: String(workflowId), ...input } },
  );
  expect(data[name].userErrors).toEqual([]);
  return data[name].workflow as { steps: Step[]; fieldBindings: { bindingId: string }[] };
};

const facts = (document: Fields) =>
  containersOf(document).map((container) =>
    stepsOf(container).map(({ color, condition, label, type }) => ({
      color,
      condition,
      label,
      type,
    })),
  );

it('are read back by the client as it wrote them, except what the edits changed', async () => {
  await fc.assert(
    fc.asyncProperty(written, fc.nat(), async (drawn, nth) => {
      const sent = withConnectors(drawn);
      const { connectionId: id } = await client4x(service).read('POST', 'connection', sent);
      const before = await readBy4x(id);
      const { workflow } = await service.data(
        `query($id: ID!) { ${SHOWN.replace('workflow', 'workflow(id: $id)').replace(/ userErrors.*/, '')} }`,
        { id: String(id) },
      );
      const steps: Step[] = workflow.steps;

      // Each step has the side on which the client wrote it.
      const colors = containersOf(sent).map((container) =>
        stepsOf(container).flatMap(({ color }) => (color === undefined ? [] : [color])),
      );
      for (const { color, side } of steps)
        if (color !== undefined) expect(side).toBe(colors[0]?.includes(color) ? 'FROM' : 'TO');

      const expected = structuredClone(before);
      const methods = steps.filter(({ color }) => color !== undefined);
      const method = methods[nth % Math.max(1, methods.length)];
      if (method) {
        await edit('stepUpdate', id, { stepId: method.stepId, method: { label: 'Changed' } });
        for (const step of containersOf(expected).flatMap(stepsOf))
          if (step.color === method.color) Object.assign(step, { label: 'Changed' });
      }
      const operator = steps.find(({ expression }) => expression !== undefined);
      if (operator)
        await edit('stepUpdate', id, {
          stepId: operator.stepId,
          operator: { expression: operator.expression },
        });
      const [binding] = workflow.fieldBindings;
      if (binding) {
        await edit('fieldBindingSet', id, {
          binding: { bindingId: binding.bindingId, enhancement: { description: 'Changed' } },
        });
        const [first] = expected.fieldBinding as { enhancement: Fields }[];
        Object.assign(first?.enhancement ?? {}, { description: 'Changed' });
      }
      expect(await readBy4x(id)).toEqual(expected);

      // A move, also one to the same place, numbers the steps again.
      const root = steps.find(({ parentStepId }) => parentStepId === null);
      if (root) await edit('stepMove', id, { stepId: root.stepId, position: 0 });
      const after = await readBy4x(id);
      expect(facts(after)).toEqual(facts(expected));

      const stored = (await service.api('GET', `/api/connection/${id}`)).body;
      expect(stored).toMatchObject({ fromConnector: { connectorId: -1 }, toConnector: null });

      // The client can save what it reads, and reads the same again.
      await client4x(service).read('PUT', `connection/${id}`, after);
      expect(facts(await readBy4x(id))).toEqual(facts(after));
    }),
    { numRuns: rounds(25) },
  );
});

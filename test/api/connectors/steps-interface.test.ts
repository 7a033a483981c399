import { testService } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

it('the id and index of steps can be queried without naming their types', async () => {
  const id = await saved(
    service,
    workflow(
      [method('0', 'http://127.0.0.1:9/'), method('1_0', 'http://127.0.0.1:9/')],
      [{ id: 'once', index: '1', type: 'if', expression: '1 = 1' }],
    ),
  );
  const { workflow: stored, __type: type } = await service.data(
    'query($id: ID!) { workflow(id: $id) { steps { __typename stepId index ... on OperatorStep { expression } } } __type(name: "Step") { kind possibleTypes { name } } }',
    { id: String(id) },
  );
  expect(stored.steps).toEqual([
    { __typename: 'MethodStep', stepId: expect.any(String), index: '0' },
    { __typename: 'OperatorStep', stepId: 'once', index: '1', expression: '1 = 1' },
    { __typename: 'MethodStep', stepId: expect.any(String), index: '1_0' },
  ]);
  expect(type).toEqual({
    kind: 'INTERFACE',
    possibleTypes: [{ name: 'MethodStep' }, { name: 'OperatorStep' }],
  });
});

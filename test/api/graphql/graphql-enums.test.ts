import { isEnumType } from 'graphql';
import { graphqlSchema } from '../../../src/app';
import { HTTP_METHODS, OPERATOR_TYPES } from '../../../src/engine';
import { AUDIT_ACTIONS, AUDIT_TARGET_TYPES } from '../../../src/features/audit/audit.actions';
import { RUN_ERROR_CODES } from '../../../src/features/runs/run-error-codes';
import { RUN_STATES } from '../../../src/features/runs/run.events';
import { METHOD_TYPES } from '../../../src/features/workflows/document/workflow-document';
import { enumName } from '../../../src/platform/graphql/schema/enums';
import { testService } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const schema = graphqlSchema();

/** The source list of each enum. */
const LISTS: Record<string, readonly string[]> = {
  RunErrorCode: Object.keys(RUN_ERROR_CODES),
  RunState: RUN_STATES,
  MethodType: METHOD_TYPES,
  OperatorType: OPERATOR_TYPES,
  HttpMethod: HTTP_METHODS,
  AuditAction: Object.keys(AUDIT_ACTIONS),
  AuditTargetType: Object.keys(AUDIT_TARGET_TYPES),
};

const service = testService({ env: { HYPHA_OUTBOUND_ALLOW: '127.0.0.1' } });

it.each(Object.entries(LISTS))('the enum %s has every value of its source list', (name, values) => {
  const type = schema.getType(name);
  const offered = isEnumType(type)
    ? type.getValues().map((value) => [value.name, value.value as string])
    : [];
  expect(offered).toEqual(values.map((value) => [enumName(value), value]));
});

it('RunErrorCode has the same values and descriptions in REST and GraphQL', async () => {
  const type = schema.getType('RunErrorCode');
  const valueLines = isEnumType(type)
    ? type
        .getValues()
        .map(({ name, description }) => `- \`${name}\`: ${description}`)
        .join('\n')
    : '';
  const { schemas } = (await service.api('GET', '/api/openapi.json')).body.components;
  expect(schemas.RunErrorCode).toEqual({
    type: 'string',
    enum: LISTS.RunErrorCode,
    description: `${type?.description}\n\n${valueLines}`,
  });
  expect(schemas.ExecutionError.properties.code).toEqual({
    $ref: '#/components/schemas/RunErrorCode',
  });
  const inline = Object.keys(schemas).filter(
    (name) => name !== 'RunErrorCode' && JSON.stringify(schemas[name]).includes('"RUN_FAULT"'),
  );
  expect(inline).toEqual([]);
});

longIt('every stored run error code can be read and filtered', async () => {
  const id = await saved(service, workflow([]));
  await ended(service, await started(service, id));
  const runs = storeConnection().collection<any>('runs');
  const one = await runs.findOne({ workflowId: id });
  const codes = Object.keys(RUN_ERROR_CODES);
  await runs.insertMany(
    codes.map((code, nth) => ({
      ...one,
      _id: 10_000 + nth,
      state: 'FAILED',
      error: { step: null, index: null, attempt: 1, code, message: 'x' },
    })),
  );
  const failedRuns = await service.field(
    '{ runs(first: 100, filter: { state: { eq: FAILED } }) { nodes { error { code } } } }',
  );
  expect(failedRuns.nodes.map(({ error }: any) => error.code).sort()).toEqual([...codes].sort());
  for (const code of codes) {
    expect([
      code,
      (await service.field(`{ runs(filter: { errorCode: { in: [${code}] } }) { totalCount } }`))
        .totalCount,
    ]).toEqual([code, 1]);
  }
});

const failing: [string, object[], object[]][] = [
  ['a refused connection', [method('0', 'http://127.0.0.1:9/')], []],
  ['a missing webhook', [method('0', 'http://127.0.0.1:9/', { methodType: 'WEBHOOK' })], []],
  ['an unknown operator', [], [{ id: 'o', index: '0', type: 'switch', expression: '1' }]],
  [
    'a loop over a value that is not iterable',
    [],
    [{ id: 'o', index: '0', type: 'loop', iterator: 'i', expression: "For('x')" }],
  ],
];

it.each(failing)(
  'a run that fails with %s has a known error code in its record and events',
  async (_name, methods, operators) => {
    const runId = await started(service, await saved(service, workflow(methods, operators)), true);
    const run = await ended(service, runId);
    const stored = await storeConnection().collection<any>('runs').findOne({ _id: runId });
    expect(LISTS.RunErrorCode).toContain(run.error.code);
    expect([run.state, run.error.code]).toEqual(['FAILED', stored.error.code]);
    const events = await runEvents(service, runId);
    expect(events.at(-1)).toMatchObject({
      __typename: 'RunFinished',
      error: { code: run.error.code },
    });
  },
);

it('steps have their type in workflows and events, and unknown types are null but kept', async () => {
  const id = await saved(
    service,
    workflow(
      [method('1', 'http://127.0.0.1:9/')],
      [
        { id: 'a', index: '0', type: 'loop', iterator: 'i', expression: 'For(1)' },
        { id: 'b', index: '2', type: ' IF ', expression: 'true' },
        { id: 'c', index: '3', type: 'switch', expression: '1' },
      ],
    ),
  );
  const one = await service.field(
    'query($id: ID!) { workflow(id: $id) { steps { ... on OperatorStep { stepId type } ... on MethodStep { stepId methodType } } } }',
    { id },
  );
  expect(one.steps).toEqual([
    { stepId: 'a', type: 'LOOP' },
    { stepId: 'm1', methodType: 'HTTP_REQUEST' },
    { stepId: 'b', type: 'IF' },
    { stepId: 'c', type: null },
  ]);
  await service.mutate(
    'workflowUpdate',
    {
      id,
      operators: [
        { stepId: 'a', type: 'IF', expression: 'true' },
        { stepId: 'b' },
        { stepId: 'c' },
      ],
    },
    'userErrors { message }',
  );
  expect(
    (await service.api('GET', `/api/connection/${id}`)).body.fromConnector.operators.map(
      ({ type }: any) => type as string,
    ),
  ).toEqual(['if', ' IF ', 'switch']);

  const runId = await started(
    service,
    await saved(service, workflow([method('0', 'http://127.0.0.1:9/', { retries: 0 })])),
    true,
  );
  await ended(service, runId);
  const events = await runEvents(service, runId);
  expect(
    events
      .filter(({ methodType }) => methodType !== undefined)
      .map(({ methodType }) => methodType as string),
  ).toEqual(['HTTP_REQUEST', 'HTTP_REQUEST']);
});

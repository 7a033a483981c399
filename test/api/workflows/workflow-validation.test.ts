import { testService, unique } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

interface Problem {
  index: string | null;
  stepId: string | null;
  field: string | null;
  code: string;
  message: string;
  line: number | null;
  column: number | null;
}
const validate = async (body: unknown): Promise<{ valid: boolean; errors: Problem[] }> => {
  const answer = await service.api('POST', '/api/connection/validate', { body });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return answer.body;
};
const problemsOf = async (body: unknown): Promise<unknown[]> =>
  (await validate(body)).errors.map(({ stepId, field, code }) => [stepId, field, code]);

const url = 'http://remote.test/';
const colored = (index: string, color: string, more: object = {}): object =>
  method(index, url, { color, ...more });
const operator = (index: string, type: string, expression: unknown, more: object = {}): object => ({
  id: `o${index}`,
  index,
  type,
  expression,
  ...more,
});
const VALUE = '{%#AAAAAA.(response).body.id%}';

describe('POST /connection/validate', () => {
  it('finds nothing in a workflow that can run', async () => {
    const document = workflow(
      [
        colored('0', '#AAAAAA'),
        method('1_0', `${url}${VALUE}`, {
          color: '#BBBBBB',
          request: {
            endpoint: `${url}{%secret.key%}`,
            method: 'POST',
            header: {},
            body: { format: 'json', fields: { Ticket: { Title: VALUE }, rows: [{ a: VALUE }] } },
          },
        }),
      ],
      [operator('1', 'loop', 'For({%#AAAAAA.(response).body.list%})', { iterator: 'i' })],
      {
        fieldBinding: [
          {
            id: 'b',
            from: [{ color: '#AAAAAA', type: 'response', field: 'success.id' }],
            to: [{ color: '#BBBBBB', type: 'request', field: 'Ticket.Title' }],
          },
          {
            id: 'c',
            from: [{ color: '#aaaaaa', type: 'response', field: 'success.id' }],
            to: [{ color: '#BBBBBB', type: 'request', field: 'rows[i].a' }],
          },
        ],
      },
    );
    const { valid, errors } = await validate(document);
    expect(errors.filter(({ code }) => code !== 'SECRET_NOT_FOUND')).toEqual([]);
    expect(await validate(workflow([colored('0', '#AAAAAA')]))).toEqual({
      valid: true,
      errors: [],
    });
    expect(valid).toBe(errors.length === 0);
  });

  it.each<[string, object, [string | null, string | null, string][]]>([
    [
      'a webhook without a URL',
      workflow([method('0', '', { methodType: 'WEBHOOK' })]),
      [['m0', 'request.endpoint', 'REQUEST_URL_IS_EMPTY']],
    ],
    [
      'a connector step without a connector',
      workflow([method('0', '', { methodType: 'CONNECTOR' })]),
      [['m0', 'connector', 'CONNECTOR_NOT_FOUND']],
    ],
    [
      'a webhook with an unknown reference',
      workflow([method('0', '/a/{%#123456.(response).body.id%}', { methodType: 'WEBHOOK' })]),
      [['m0', 'request.endpoint', 'REFERENCE_COLOR_UNKNOWN']],
    ],
    [
      'data without a type and without a URL',
      workflow([method('0', '', { methodType: null })]),
      [['m0', 'request.endpoint', 'REQUEST_URL_IS_EMPTY']],
    ],
    [
      'unknown references in every place',
      workflow([
        method('0', `${url}${VALUE}`, {
          color: '#BBBBBB',
          request: {
            endpoint: `${url}${VALUE}`,
            header: { A: VALUE },
            body: { fields: { a: VALUE } },
          },
        }),
      ]),
      [
        ['m0', 'request.endpoint', 'REFERENCE_COLOR_UNKNOWN'],
        ['m0', 'request.header.A', 'REFERENCE_COLOR_UNKNOWN'],
        ['m0', 'request.body', 'REFERENCE_COLOR_UNKNOWN'],
      ],
    ],
    [
      'secrets where none may stand',
      workflow([], [operator('1', 'if', '{%secret.a%} = 1')]),
      [['o1', 'expression', 'SECRET_NOT_ALLOWED_HERE']],
    ],
    [
      'a name no secret can have',
      workflow([method('0', `${url}{%secret.no name%}`)]),
      [['m0', 'request.endpoint', 'SECRET_NOT_FOUND']],
    ],
    [
      'bindings that lead nowhere',
      workflow(
        [
          colored('0', '#AAAAAA'),
          method('1', url, {
            color: '#BBBBBB',
            request: { endpoint: url, method: 'POST', body: { fields: { a: { b: 1 } } } },
          }),
        ],
        [],
        {
          fieldBinding: [
            {
              from: [{ color: '#CCCCCC', type: 'response', field: 'x' }],
              to: [{ color: '#BBBBBB', type: 'request', field: 'a.c' }],
            },
            { from: [{ color: '#AAAAAA', type: 'cookie', field: 'x' }], to: [] },
            {
              from: [{ color: '#AAAAAA', type: 'response', field: 'x' }],
              to: [{ color: '#DDDDDD', type: 'body', field: 'a' }],
            },
          ],
        },
      ),
      [
        ['m0', 'fieldBinding.1.from.0.type', 'BINDING_TYPE_UNKNOWN'],
        ['m0', 'fieldBinding.1.to', 'BINDING_INCOMPLETE'],
        ['m0', 'fieldBinding.2.to.0.color', 'REFERENCE_COLOR_UNKNOWN'],
        ['m0', 'fieldBinding.2.to.0.type', 'BINDING_TYPE_UNKNOWN'],
        ['m1', 'fieldBinding.0.from.0.color', 'REFERENCE_COLOR_UNKNOWN'],
        ['m1', 'fieldBinding.0.to.0.field', 'BINDING_FIELD_UNKNOWN'],
      ],
    ],
    [
      'input that cannot be saved, with the other errors',
      {
        ...workflow([{ ...method('0', ''), methodType: 'SOAP', label: 5 }, method('1', '')]),
        title: ' ',
        fieldBinding: {},
      },
      [
        ['m0', 'label', 'WORKFLOW_INVALID'],
        ['m0', 'methodType', 'WORKFLOW_INVALID'],
        ['m1', 'request.endpoint', 'REQUEST_URL_IS_EMPTY'],
        [null, 'title', 'TITLE_INVALID'],
        [null, 'fieldBinding', 'WORKFLOW_INVALID'],
      ],
    ],
  ])('reports errors of %s', async (_what, document, problems) => {
    const reported = await problemsOf(document);
    expect(reported).toHaveLength(problems.length);
    expect(reported).toEqual(expect.arrayContaining(problems));
  });

  it('reports line and column of syntax errors, and only the error otherwise', async () => {
    const { errors } = await validate(
      workflow([method('1', '')], [operator('0', 'if', 'true &&\n  = 1')]),
    );
    expect(errors).toEqual([
      {
        index: '0',
        stepId: 'o0',
        bindingId: null,
        field: 'expression',
        path: ['expression'],
        code: 'EXPRESSION_SYNTAX',
        message: 'expression: Line 2, column 3: expected a value, found "=".',
        line: 2,
        column: 3,
      },
      {
        index: '1',
        stepId: 'm1',
        bindingId: null,
        field: 'request.endpoint',
        path: ['request', 'endpoint'],
        code: 'REQUEST_URL_IS_EMPTY',
        message: 'The request has no URL.',
        line: null,
        column: null,
      },
    ]);
  });

  it('orders errors by the order of execution of the steps', async () => {
    const indexes = ['10', '2_1', '0', '2_0', '2_10', '1'];
    const { errors } = await validate(
      workflow(
        indexes.map((index) => method(index, '', { color: null })),
        [operator('2', 'if', '')],
      ),
    );
    expect(errors.map(({ index }) => index)).toEqual(['0', '1', '2', '2_0', '2_1', '2_10', '10']);
  });

  it('reads the 4.x shape with the ids and the order of its steps', async () => {
    const { errors } = await validate({
      title: 'Old',
      fieldBinding: [],
      fromConnector: {
        connectorId: 1,
        methods: [
          {
            nodeId: 'a',
            index: '0',
            name: 'Get',
            color: '#AAAAAA',
            request: { endpoint: VALUE.replace('AAAAAA', '999999') },
          },
        ],
        operators: [],
      },
      toConnector: {
        connectorId: 2,
        methods: [
          { nodeId: 'b', index: '0', name: 'Put', color: 'blue', request: { endpoint: url } },
        ],
        operators: [{ nodeId: 'c', index: '1', type: 'while' }],
      },
    });
    expect(
      errors
        .filter(
          ({ code }) => !code.startsWith('CONNECTOR') && code !== 'OPERATOR_EXPRESSION_IS_EMPTY',
        )
        .map(({ index, stepId, code }) => [index, stepId, code]),
    ).toEqual([
      ['0_0', 'a', 'REFERENCE_COLOR_UNKNOWN'],
      ['1_0', 'b', 'COLOR_INVALID'],
      ['1_1', 'c', 'OPERATOR_TYPE_UNKNOWN'],
    ]);
  });

  it('accepts objects only and saves nothing', async () => {
    const before = await service.data('{ workflows { totalCount } auditEvents { totalCount } }');
    for (const body of ['[]', '5', 'null', '{'])
      expect(await service.status('POST', '/api/connection/validate', { body })).toBe(400);
    const title = unique('Validated ');
    await validate({ ...workflow([]), title });
    expect(await service.field('{ workflows { totalCount } }')).toEqual(before.workflows);
  });

  it('handles input that is no workflow', async () => {
    for (const document of [
      { title: 'a', fromConnector: 5 },
      { title: 'a', fromConnector: { methods: [null, 5, []], operators: 'x' } },
      { title: 'a', fieldBinding: [null, 5, { from: 5, to: [null] }] },
    ]) {
      const { valid, errors } = await validate(document);
      expect([valid, errors.length > 0]).toEqual([false, true]);
    }
  });
});

describe('Workflow.validation', () => {
  const VALIDATION =
    'query($id: ID!) { workflow(id: $id) { validation { index stepId bindingId field path code message line column } } }';

  it('returns the same list', async () => {
    const document = workflow(
      [method('0', ''), method('1', `${url}${VALUE}`)],
      [operator('2', 'if', '1 =')],
    );
    const { errors } = await validate(document);
    const stored = await service.field(VALIDATION, {
      id: await saved(service, document),
    });
    expect(stored.validation).toEqual(errors);
    expect(errors).toHaveLength(3);
  });

  it('hides secrets from users without the permission', async () => {
    const reader = await service.userWith(['CONNECTION:READ']);
    const secret = 'hunter2 of the validation';
    const id = await saved(
      service,
      workflow([
        method('0', url, {
          request: {
            endpoint: url,
            method: secret,
            header: { Authorization: `{%${secret}`, [secret]: {} },
            body: { fields: { password: `{%#123456.(x) ${secret}%}` } },
          },
        }),
      ]),
    );
    const answer = await service.gql(VALIDATION, { id }, reader.token);
    expect(answer.data.workflow.validation.length).toBeGreaterThan(0);
    expect(
      JSON.stringify(
        answer.data.workflow.validation.filter(({ field }: Problem) => field === 'request.body'),
      ),
    ).not.toContain(secret);
  });
});

describe('workflowValidate', () => {
  const VALIDATE = `query($workflow: WorkflowInput!, $draftOf: ID) {
    workflowValidate(workflow: $workflow, draftOf: $draftOf) { stepId bindingId path code } }`;
  const request = (more: object = {}): object => ({ endpoint: url, header: {}, ...more });

  it('leads from each problem of a draft to its field, in a header with dots and in a binding', async () => {
    const steps = [
      {
        method: {
          stepId: 'a',
          color: '#AAAAAA',
          request: request({ header: { 'X.Key': VALUE.replace('AAAAAA', '123456') } }),
        },
      },
      {
        operator: {
          stepId: 'b',
          type: 'IF',
          expression: '1 = ',
          steps: [{ method: { stepId: 'c', methodType: 'HTTP_REQUEST' } }],
        },
      },
    ];
    const fieldBindings = [
      {
        bindingId: 'd',
        from: [{ color: '#AAAAAA', type: 'response', field: 'x' }],
        to: [{ color: '#123456', type: 'request', field: 'a' }],
      },
    ];
    expect(
      await service.field(VALIDATE, { workflow: { title: '', steps, fieldBindings } }),
    ).toEqual([
      {
        stepId: 'a',
        bindingId: null,
        path: ['request', 'header', 'X.Key'],
        code: 'REFERENCE_COLOR_UNKNOWN',
      },
      { stepId: 'a', bindingId: 'd', path: ['to', '0', 'color'], code: 'REFERENCE_COLOR_UNKNOWN' },
      { stepId: 'b', bindingId: null, path: ['expression'], code: 'EXPRESSION_SYNTAX' },
      { stepId: 'c', bindingId: null, path: ['request', 'endpoint'], code: 'REQUEST_URL_IS_EMPTY' },
      { stepId: null, bindingId: null, path: ['title'], code: 'TITLE_INVALID' },
    ]);
  });

  it('reads a draft of a saved workflow as an update of it, and saves nothing', async () => {
    const id = await saved(service, workflow([method('0', url)]));
    const steps = [{ method: { stepId: 'm0', request: { endpoint: '' } } }];
    expect(await service.field(VALIDATE, { workflow: { steps }, draftOf: id })).toEqual([
      {
        stepId: 'm0',
        bindingId: null,
        path: ['request', 'endpoint'],
        code: 'REQUEST_URL_IS_EMPTY',
      },
    ]);
    expect(await service.field(VALIDATE, { workflow: {}, draftOf: id })).toEqual([]);
    for (const [variables, reason] of [
      [{ draftOf: 999_999 }, 'CONNECTION_NOT_FOUND'],
      [{ draftOf: 'x' }, 'ID_INVALID'],
    ] as const)
      expect(
        (await service.gql(VALIDATE, { workflow: {}, ...variables })).errors?.[0]?.extensions
          .reason,
      ).toBe(reason);
  });
});

import { templateBody } from '../../src/features/templates/body/template-body';

it('a template with more steps than the workflow limit is rejected before its steps are read', () => {
  const connection = {
    fromConnector: { methods: Array.from({ length: 10_001 }, () => 1) },
    toConnector: { operators: Array.from({ length: 10_001 }, () => ({})) },
  };
  expect(() => templateBody(connection, '1.2', 'file')).toThrow(
    expect.objectContaining({
      code: 'TEMPLATE_INVALID',
      problems: [
        expect.objectContaining({
          code: 'LIST_TOO_LONG',
          path: ['connection', 'fromConnector', 'methods'],
        }),
        expect.objectContaining({
          code: 'LIST_TOO_LONG',
          path: ['connection', 'toConnector', 'operators'],
        }),
      ],
    }),
  );
});

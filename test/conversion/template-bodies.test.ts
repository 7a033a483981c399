import { templateBody } from '../../src/features/templates/body/template-body';

it('a template with more steps than the workflow limit is rejected before its steps are read', async () => {
  const connection = {
    fromConnector: { methods: Array.from({ length: 10_001 }, () => 1) },
    toConnector: { operators: Array.from({ length: 10_001 }, () => ({})) },
  };
  await expect(templateBody(connection, '1.2', 'file')).rejects.toMatchObject({
    code: 'TEMPLATE_INVALID',
    problems: [
      { code: 'LIST_TOO_LONG', path: ['connection', 'fromConnector', 'methods'] },
      { code: 'LIST_TOO_LONG', path: ['connection', 'toConnector', 'operators'] },
    ],
  });
});

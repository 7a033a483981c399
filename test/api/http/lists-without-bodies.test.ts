import { imported as importedInvoker, TICKETS } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { storeCalls } from '../../support/store/stored';
import { template42 } from '../../support/documents/templates';
import { method, workflow } from '../../support/documents/workflows';

const service = testService();

const post = async (path: string, body: object): Promise<any> => {
  const answer = await service.api('POST', path, { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const connector = async (): Promise<number> =>
  (
    await post('/api/connector', {
      title: unique('Tickets '),
      invoker: { name: 'otrs' },
      requestData: { url: 'http://127.0.0.1:9', token: 'any' },
    })
  ).connectorId as number;

it('a template list reads only the bodies of templates that match both connectors', async () => {
  await importedInvoker(
    service,
    {
      ...TICKETS,
      operations: ['TicketSearch', 'cmdb.object.create'].map((operation) => ({
        name: operation,
        endpoint: '{url}',
      })),
    },
    'otrs',
  );
  const list = `/api/template/all/${await connector()}/${await connector()}`;
  const bodiesRead = async (): Promise<string[]> =>
    (await storeCalls(() => service.api('GET', list))).filter((call) =>
      call.startsWith('template_contents'),
    );

  await post('/api/template', {
    name: unique('Without connectors '),
    connection: workflow([method('0', 'http://127.0.0.1:9/')]),
  });
  expect(await bodiesRead()).toEqual([]);

  const fitting = template42();
  for (const container of [fitting.connection.fromConnector, fitting.connection.toConnector])
    container.invoker.name = 'otrs';
  fitting.connection.toConnector.methods[0].request.body = {
    type: 'object',
    format: 'json',
    data: 'raw',
    fields: { state: '' },
  };
  await post('/api/template', { ...fitting, name: unique('Fitting ') });
  expect(await bodiesRead()).toEqual(['template_contents.find']);
});

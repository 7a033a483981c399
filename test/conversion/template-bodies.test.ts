import { templateBody } from '../../src/features/templates/body/template-body';
import { longestStall, MOST_MS } from '../support/stall';
import { template12, template32, template42 } from '../support/templates';
import { LONG, firstOf } from '../support/rounds';

jest.setTimeout(120_000);

/** As many steps as a workflow may have, each in as many loops as fit, with long texts and many fields. */
function large(template: any, version: string): { connection: any; version: string } {
  const { connection } = template;
  const deep = Array.from({ length: 90 }, (_, depth) => Array.from({ length: depth + 1 }, () => '0').join('_'));
  const fields = Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`field ${nth}`, nth % 3 === 0 ? '' : `#FFCFB5.(response).success.tickets[].articles[].id ${nth}`]));
  const step = (nth: number): any => ({ index: `${deep.at(-1)}_${nth}`, name: 'x', color: '#FFCFB5', request: { endpoint: 'x[]'.repeat(500), method: 'GET', header: null, body: { type: 'object', format: 'json', data: 'raw', fields } }, response: null });
  const operators = deep.map((index) => ({ index, type: 'loop', condition: { leftStatement: { color: '#FFCFB5', type: 'response', field: 'success.tickets' } } }));
  return { version, connection: { ...connection, fromConnector: { ...connection.fromConnector, methods: Array.from({ length: 3_000 }, (_, nth) => step(nth)), operators } } };
}

if (LONG) it.each(firstOf([['4.2', template42], ['3.2', template32], ['1.2', template12]] as const, 2))('a large template of %s is converted without holding others', async (version, make) => {
  const { connection } = large(make(), version);
  await templateBody(make().connection, version, 'file');
  let methods = 0;
  const stall = await longestStall(async () => {
    const { document } = await templateBody(connection, version, 'file');
    methods = (document as any).fromConnector.methods.length;
  });
  expect(methods).toBe(3_000 + make().connection.toConnector.methods.length);
  expect(stall).toBeLessThan(MOST_MS);
});

it('refuses more steps than any workflow has before it looks at them', async () => {
  const connection = { fromConnector: { methods: Array.from({ length: 10_001 }, () => 1) }, toConnector: { operators: Array.from({ length: 10_001 }, () => ({})) } };
  await expect(templateBody(connection, '1.2', 'file')).rejects.toMatchObject({ code: 'TEMPLATE_INVALID', problems: [
    { code: 'LIST_TOO_LONG', path: ['connection', 'fromConnector', 'methods'] }, { code: 'LIST_TOO_LONG', path: ['connection', 'toConnector', 'operators'] }] });
});

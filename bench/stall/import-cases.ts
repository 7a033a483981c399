import type { ReachedService } from '../../test/support/service/harness';
import { unique } from '../../test/support/service/harness';
import { fileForm, invokerXml, operationXml } from '../../test/support/documents/invokers';
import { template12, template32, template42 } from '../../test/support/documents/templates';
import { zipOf } from '../../test/support/documents/zips';
import { prepared, sent } from './case';
import type { Case } from './case';

const XML_BYTES = 2 * 1024 * 1024;
const FILES = 400;
const TEMPLATE_STEPS = 3_000;

/** XML of 2 MB, most of it not an invoker. */
const XML: Readonly<Record<string, () => string>> = {
  'many elements': () => `<a>${'<b c="d"/>\n'.repeat(190_000)}</a>`,
  'one long text': () => `<a>${'text &amp; '.repeat(200_000)}</a>`,
  'one long attribute': () => `<a b="${'text &amp; '.repeat(200_000)}"/>`,
  'one long comment': () => `<a><!--${'- '.repeat(1_000_000)}--></a>`,
  'one long name': () => `<a${'b'.repeat(XML_BYTES)}/>`,
  'an attribute without its end': () => `<a b="${'<'.repeat(XML_BYTES)}`,
};

function largeInvoker(name: string): string {
  const fields = Array.from(
    { length: 1_000 },
    (_, at) => `<field name="field${at}" type="string">text</field>`,
  ).join('');
  const operations = Array.from({ length: 40 }, (_, at) =>
    operationXml(`Operation${at}`).replace('<field name="id" type="int"/>', fields),
  );
  return invokerXml(name, operations.join('\n'));
}

/** As many steps as a template may have, deep in loops, with long texts and many fields. */
function largeTemplate(template: any): string {
  const deep = Array.from({ length: 90 }, (_, depth) =>
    Array.from({ length: depth + 1 }, () => '0').join('_'),
  );
  const fields = Object.fromEntries(
    Array.from({ length: 40 }, (_, nth) => [
      `field ${nth}`,
      nth % 3 === 0 ? '' : `#FFCFB5.(response).success.tickets[].articles[].id ${nth}`,
    ]),
  );
  const request = {
    endpoint: 'x[]'.repeat(500),
    method: 'GET',
    header: null,
    body: { type: 'object', format: 'json', data: 'raw', fields },
  };
  const methods = Array.from({ length: TEMPLATE_STEPS }, (_, nth) => ({
    index: `${deep.at(-1)}_${nth}`,
    name: 'x',
    color: '#FFCFB5',
    request,
    response: null,
  }));
  const operators = deep.map((index) => ({
    index,
    type: 'loop',
    condition: { leftStatement: { color: '#FFCFB5', type: 'response', field: 'success.tickets' } },
  }));
  return JSON.stringify({
    ...template,
    name: unique('Large '),
    connection: {
      ...template.connection,
      fromConnector: { ...template.connection.fromConnector, methods, operators },
    },
  });
}

/** Invokers as XML and in archives, and templates. */
export function importCases(service: ReachedService): Case[] {
  const upload = (content: string | Buffer, name: string, path: string): Promise<unknown> =>
    service.api('POST', path, { body: fileForm(content, name) });
  return [
    ...Object.entries(XML).map(([detail, xml]) =>
      sent('import', `2 MB of XML: ${detail}`, () =>
        upload(xml(), 'a.xml', '/api/storage/invoker'),
      ),
    ),
    prepared(
      'import',
      'an invoker of 2 MB, read after it',
      async () => unique('Large'),
      async (name) => {
        await upload(largeInvoker(name), 'a.xml', '/api/storage/invoker');
        await service.api('GET', `/api/invoker/${name}`);
      },
    ),
    prepared(
      'import',
      `an archive of ${FILES} invokers`,
      () =>
        zipOf(
          Object.fromEntries(
            Array.from({ length: FILES }, (_, nth) => [`${nth}.xml`, invokerXml(unique('Zipped'))]),
          ),
        ),
      (archive) => upload(archive, 'a.zip', '/api/storage/invoker/zip'),
    ),
    ...Object.entries({ '1.2': template12, '3.2': template32, '4.2': template42 }).map(
      ([version, make]) =>
        sent('import', `a template of ${TEMPLATE_STEPS} steps of ${version}`, () =>
          upload(largeTemplate(make()), 'a.json', '/api/storage/template'),
        ),
    ),
  ];
}

import { unique } from '../service/harness';
import type { Answer, ReachedService } from '../service/harness';

/** An invoker like those of existing installations, with a unique name. */
export const invokerXml = (
  name = unique('Invoker'),
  operations = operationXml('GetMe', 'test'),
): string => `<?xml version="1.0" encoding="UTF-8"?>
<invoker type="RESTful">
  <name>${name}</name><description>What it is</description><hint/><icon>demo.png</icon>
  <authType>apikey</authType>
  <requiredData>
    <item name="url" type="string" visibility="public"/>
    <item name="token" type="string" visibility="protected"/>
    <item name="basic" type="string" visibility="private">Basic {user:token}</item>
  </requiredData>
  <operations>
    ${operations}
  </operations>
</invoker>
`;

export const operationXml = (
  name: string,
  type = '',
): string => `<operation name="${name}" type="${type}">
      <request>
        <method>GET</method><endpoint>{url}/me</endpoint>
        <header><item name="Authorization" type="string">Bearer {token}</item></header>
        <body type="object" format="json" data="raw"><field name="q" type="string">x</field></body>
      </request>
      <response>
        <success status="200"><header><item name="Content-Type" type="string">application/json</item></header>
          <body type="object" format="json" data="raw">
            <field name="id" type="int"/>
            <field name="tickets" type="array"><field name="title" type="string"/><field name="tags" type="array">a, b</field></field>
          </body></success>
        <fail status="401"><body type="object" format="json" data="raw"><field name="error" type="string"/></body></fail>
      </response>
    </operation>`;

export function fileForm(
  content: string | Buffer,
  name: string,
  type = 'application/xml',
): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
  return form;
}

/** Uploads XML, or an archive if the file name says so. */
export const uploadInvoker = (
  service: ReachedService,
  content: string | Buffer,
  name = 'demo.xml',
  more: { token?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  service.api('POST', name.endsWith('.zip') ? '/api/storage/invoker/zip' : '/api/storage/invoker', {
    body: fileForm(content, name),
    ...more,
  });

/** Creates an invoker. */
export async function importedInvoker(
  service: ReachedService,
  name = unique('Invoker'),
  xml = invokerXml(name),
): Promise<string> {
  const answer = await service.api('POST', '/api/invoker', { body: { xml } });
  if (answer.status !== 201) throw new Error(`The invoker was not imported: ${answer.text}`);
  return name;
}

/** Creates a workflow that uses the invoker and returns its title. */
export async function usingInvoker(
  service: ReachedService,
  invoker: string,
  title = unique('Uses it'),
): Promise<string> {
  const step = {
    id: 'm',
    index: '0',
    name: 'GetMe',
    color: '#FFCFB5',
    methodType: 'CONNECTOR',
    connector: { connectorId: null, title: null, invoker },
    request: { endpoint: '{url}/me', method: 'GET' },
  };
  const answer = await service.api('POST', '/api/connection', {
    body: { title, fromConnector: { methods: [step], operators: [] }, fieldBinding: [] },
  });
  if (answer.status !== 201) throw new Error(`The workflow was not saved: ${answer.text}`);
  return title;
}

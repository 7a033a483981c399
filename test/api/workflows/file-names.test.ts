import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testService } from '../../support/service/harness';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/* A file that a step receives and a later step sends on as a part of a form. */

const BYTES = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2]);

const service = testService();
let server: Server;
let url: string;
let disposition: string | null;
let form: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') {
        form = Buffer.concat(chunks).toString('utf8');
        response.end();
        return;
      }
      response.writeHead(200, {
        'content-type': 'application/pdf',
        ...(disposition !== null && { 'content-disposition': disposition }),
      });
      response.end(BYTES);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
});

/** Sends on the file at this path; returns the header of its part. */
async function sentOn(path: string, header: string | null, more: object = {}): Promise<string> {
  disposition = header;
  form = '';
  const get = method('0', `${url}${path}`) as { color: string };
  const send = method('1', `${url}/upload`, {
    request: {
      endpoint: `${url}/upload`,
      method: 'POST',
      header: {},
      body: { format: 'form-data', fields: { file: `${get.color}.(response).body` } },
    },
    ...more,
  });
  const runId = await started(service, await saved(service, workflow([get, send])));
  expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED' });
  return /Content-Disposition: form-data; name="file"; (.*)\r\n/.exec(form)?.[1] ?? form;
}

it.each([
  [
    'filename*',
    '/a',
    `attachment; filename="b.pdf"; filename*=UTF-8''B%C3%BCcher%20%E2%82%AC.pdf`,
    `filename="Bücher €.pdf"; filename*=UTF-8''B%C3%BCcher%20%E2%82%AC.pdf`,
  ],
  [
    'filename',
    '/a',
    'attachment; filename="the \\"best\\"; report.pdf"',
    'filename="the %22best%22; report.pdf"',
  ],
  ['filename without quotes', '/a', 'inline;filename=report.pdf', 'filename="report.pdf"'],
  ['the last part of the address', '/files/Mai%202026.pdf?x=1', null, 'filename="Mai 2026.pdf"'],
  ['the address and the type', '/files/17', 'attachment', 'filename="17.pdf"'],
  ['only the type', '/', null, 'filename="file.pdf"'],
  [
    'a path, of which the directories are removed',
    '/a',
    'attachment; filename="../../etc/c:\\\\x\\\\passwd"',
    'filename="passwd.pdf"',
  ],
])('a file keeps its name: %s', async (_what, path, header, expected) => {
  expect(await sentOn(path, header)).toBe(expected);
});

it('a step can set the name, with references in it', async () => {
  const { color } = method('0', url) as { color: string };
  const fileName = `{%${color}.(response).status%}-${'ü'}.pdf`;
  expect(await sentOn('/a.pdf', null, { fileName })).toBe(
    `filename="200-ü.pdf"; filename*=UTF-8''200-%C3%BC.pdf`,
  );
});

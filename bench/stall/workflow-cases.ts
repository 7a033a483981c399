import type { ReachedService } from '../../test/support/service/harness';
import { method, workflow } from '../../test/support/documents/workflows';
import { prepared, sent } from './case';
import type { Case } from './case';
import { JSON_VALUES } from './documents';
import { SECRET_TEXTS } from './secret-texts';

const BYTES = 1_000_000;
const DEAR = ['lists, 90 deep', 'empty lists', 'names in each other', 'numbers'];
const PATCH_OPERATIONS = 5_000;
const MAX_STEPS = 5_000;
const PATCH = { 'content-type': 'application/json-patch+json' };
const MOVE =
  'mutation($id: ID!) { stepMove(input: { workflowId: $id, stepId: "n", position: 0 }) { workflow { version } userErrors { code } } }';

let titles = 0;
const documentOf = (value: string): string =>
  `{"title":"stall of a workflow ${++titles}","ui":{"a":${value},"b":[1]},"fromConnector":{"methods":[{"id":"m","index":"0"},{"id":"n","index":"1"}],"operators":[]}}`;
/** Its step holds the text where secrets are masked. */
const documentWith = (fields: string): object => {
  const request = {
    endpoint: 'http://x.test',
    method: 'POST',
    header: { 'X-Key': 'k' },
    body: { type: 'object', format: 'json', data: 'raw', fields },
  };
  return workflow([method('0', 'http://x.test', { request })]);
};

/** Patches, undo, diff, validation and saves of workflows of 1 MB, and texts in which secrets are looked for. */
export function workflowCases(service: ReachedService, reader: string): Case[] {
  const save = async (body: unknown): Promise<string> => {
    const saved = await service.api('POST', '/api/connection', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    if (saved.status !== 201)
      throw new Error(`The workflow was not saved: ${saved.text.slice(0, 500)}`);
    return `/api/connection/${saved.body.connectionId}`;
  };
  const patch = (path: string, body: string): Promise<unknown> =>
    service.api('PATCH', path, { body, headers: PATCH });
  const ofJson = (kind: string): Case[] => {
    const value = JSON_VALUES[kind](BYTES);
    const made = (): Promise<string> => save(documentOf(value));
    const of = (detail: string, send: (path: string) => Promise<unknown>, prepare = made): Case =>
      prepared('workflow', `${detail}: ${kind}`, prepare, send);
    const edited = async (): Promise<string> => {
      const path = await made();
      await patch(path, '[{"op":"remove","path":"/ui/a"}]');
      return path;
    };
    return [
      of('read with secrets masked', (path) => service.api('GET', path, { token: reader })),
      of('patched', (path) => patch(path, '[{"op":"add","path":"/ui/b/-","value":2}]')),
      of('tested by a patch', (path) =>
        patch(path, `[{"op":"test","path":"/ui/a","value":${value}}]`),
      ),
      of('copied by a patch', (path) =>
        patch(path, '[{"op":"copy","from":"/ui/a","path":"/ui/c"}]'),
      ),
      of('replaced by a patch', (path) =>
        patch(
          path,
          `[{"op":"replace","path":"/ui/a","value":${value.startsWith('[[[') ? '1' : `[${value}]`}}]`,
        ),
      ),
      of('edited', (path) => service.gql(MOVE, { id: path.split('/').at(-1) })),
      of('undone', (path) => service.api('POST', `${path}/undo`), edited),
      prepared(
        'workflow',
        `compared with its next version: ${kind}`,
        async () => {
          const path = await made();
          const before = (await service.api('GET', path)).body.nodeId as string;
          await patch(path, '[{"op":"move","from":"/ui/a","path":"/ui/c"}]');
          return `${path}/diff?from=${before}&to=${(await service.api('GET', path)).body.nodeId}`;
        },
        (path) => service.api('GET', path),
      ),
      sent('workflow', `validated: ${kind}`, () =>
        service.api('POST', '/api/connection/validate', {
          body: documentOf(value),
          headers: { 'content-type': 'application/json' },
        }),
      ),
    ];
  };
  const ofSecrets = ([kind, text]: [string, string]): Case[] => [
    sent('secrets', `saved: ${kind}`, () => save(documentWith(text))),
    prepared(
      'secrets',
      `read masked: ${kind}`,
      () => save(documentWith(text)),
      (path) => service.api('GET', path, { token: reader }),
    ),
    prepared(
      'secrets',
      `written back masked: ${kind}`,
      async () => {
        const path = await save(documentWith(text));
        return { path, body: (await service.api('GET', path, { token: reader })).body };
      },
      ({ path, body }) => service.api('PUT', path, { body }),
    ),
  ];
  const manySteps = workflow(
    Array.from({ length: MAX_STEPS }, (_, nth) =>
      method(String(nth), '', { id: `m${nth}`, color: `#${nth.toString(16).padStart(6, '0')}` }),
    ),
  );
  const operations = Array.from(
    { length: PATCH_OPERATIONS },
    (_, nth) => `{"op":"add","path":"/ui/a/0","value":${nth}}`,
  ).join(',');
  return [
    ...DEAR.flatMap(ofJson),
    ...Object.entries(SECRET_TEXTS).flatMap(ofSecrets),
    prepared(
      'workflow',
      `patched by ${PATCH_OPERATIONS} operations`,
      () => save(documentOf(JSON_VALUES.numbers(BYTES))),
      (path) => patch(path, `[${operations}]`),
    ),
    sent('workflow', `validated: ${MAX_STEPS} steps`, () =>
      service.api('POST', '/api/connection/validate', { body: manySteps }),
    ),
    sent('workflow', 'search of a title that none has', () =>
      service.api('GET', '/api/search/no%20such%20title%20anywhere'),
    ),
    prepared(
      'workflow',
      'masking rules of odd characters',
      () => save(documentOf('1')),
      async (path) => {
        for (const type of ['regex', 'JSONPath', 'XPath'])
          for (const piece of ['(a', '[?@.a', '//a[', '..a', '((a+)+', "'"])
            await service.api('POST', `${path}/rule`, {
              body: { type, expression: piece.repeat(1_000 / piece.length) },
            });
      },
    ),
  ];
}

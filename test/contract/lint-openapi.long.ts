import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-openapi-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A small valid description, except for a missing description, an unknown tag and an example of the wrong type. */
const BROKEN = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1', license: { name: 'MIT', url: 'https://a.example/' } },
  servers: [{ url: 'https://a.example' }],
  tags: [{ name: 'Things', description: 'Things.' }],
  security: [],
  paths: {
    '/things': {
      post: {
        operationId: 'createThing',
        summary: 'Creates a thing.',
        description: 'Creates a thing.',
        // Not in the list of tags.
        tags: ['Unknown'],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { name: { type: 'string' } } },
              example: { name: 7 },
            },
          },
        },
        // A response requires a description.
        responses: { '200': {}, '400': { description: 'Invalid.' } },
      },
    },
  },
};

it('the check of the OpenAPI description fails with each error', () => {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(BROKEN));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/lint-openapi.mjs', file], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^struct: .*description/m);
  expect(stderr).toMatch(/^operation-tag-defined: /m);
  expect(stderr).toMatch(/^\S*example\S*: /m);
});

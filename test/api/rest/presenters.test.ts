import { z } from 'zod';
import { DOCUMENTED } from '../../../src/rest';
import { documentedErrors } from '../../../src/platform/http/error-body';
import { presenter } from '../../../src/platform/http/presenters';
import type { Presenters } from '../../../src/platform/http/presenters';
import { testService } from '../../support/service/harness';
import { exchange, readRawAnswer } from '../../support/calls/rest-transport';

/** A test dialect: groups have a `groupId` in a bare array, failures are a `problem` with another status. */
const Group = z.object({ groupId: z.int(), called: z.string() }).meta({ id: 'ToyGroup' });
const shown = (group: { id: number; name: string }): z.output<typeof Group> => ({
  groupId: group.id,
  called: group.name,
});
const toy: Presenters = {
  ...DOCUMENTED,
  errors: {
    status: (failure, statuses) =>
      failure.kind === 'not-found' ? 410 : documentedErrors.status(failure, statuses),
    name: ({ code }) => code,
    body: ({ code }, status) => ({ problem: code, status }),
    schema: z.object({ problem: z.string(), status: z.int() }).meta({ id: 'ToyProblem' }),
  },
  groups: {
    ...DOCUMENTED.groups,
    one: presenter(Group, shown),
    list: presenter(z.array(Group), (groups) => groups.map(shown)),
  },
};

describe('a second set of presenters', () => {
  const service = testService({ presenters: toy });

  it('changes responses but no rule of the routes', async () => {
    const made = await service.api('POST', '/api/role', {
      body: { name: 'Readers', components: [{ name: 'CONNECTION', permissions: ['READ'] }] },
    });
    expect(made).toMatchObject({ status: 201, body: { called: 'Readers' } });
    expect(made.headers.get('etag')).toBe('"1"');
    expect(await service.body('GET', '/api/role/all')).toContainEqual(made.body);
    expect(await service.body('GET', `/api/userGroup/${made.body.groupId}`)).toEqual(made.body);
    expect(
      await service.status('PUT', `/api/role/${made.body.groupId}`, {
        body: { name: 'Writers' },
        headers: { 'if-match': '"7"' },
      }),
    ).toBe(412);
    expect(
      (await service.api('GET', '/api/component/all')).body._embedded.componentResources.length,
    ).toBeGreaterThan(5);
  });

  it.each([
    ['no group', '/api/role/4711', 'GROUP_NOT_FOUND'],
    ['no path', '/api/nothing/here', 'NOT_FOUND'],
  ])('formats failures: %s', async (_what, path, problem) => {
    expect(await service.api('GET', path)).toMatchObject({
      status: 410,
      body: { problem, status: 410 },
    });
  });

  it('formats failures that no handler produces', async () => {
    const port = Number(new URL(service.url).port);
    expect(readRawAnswer(await exchange({ port }, 'NONSENSE\r\n\r\n')).json).toEqual({
      problem: 'BAD_REQUEST',
      status: 400,
    });
    const upgrade =
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    expect(readRawAnswer(await exchange({ port }, upgrade)).json).toEqual({
      problem: 'NOT_FOUND',
      status: 404,
    });
  });

  it('determines the OpenAPI document', async () => {
    const { body } = await service.api('GET', '/api/openapi.json');
    const { responses } = body.paths['/api/role/{id}'].get;
    expect(responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ToyGroup',
    });
    expect(responses['410'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ToyProblem',
    });
    expect(body.components.schemas).not.toHaveProperty('ErrorBody');
  });
});

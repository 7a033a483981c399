import { testService } from '../../support/service/harness';
import { saved, workflow } from '../../support/documents/workflows';

const CHARACTERS = 5 * 1024 * 1024;

const service = testService({
  env: {
    HYPHA_LIMITS_ANSWER_BYTES: String(100 * 1024 * 1024),
    HYPHA_LIMITS_WORKFLOW_BYTES: String(6 * 1024 * 1024),
  },
});

it('documents that exceed the memory limit together are rejected over GraphQL and streamed over REST', async () => {
  const ids = [
    await saved(service, workflow([], [], { ui: 'a'.repeat(CHARACTERS) })),
    await saved(service, workflow([], [], { ui: 'b'.repeat(CHARACTERS) })),
  ];

  const both = await service.gql('{ workflows { nodes { ui } } }');
  expect(both.errors?.map(({ extensions: { code } }) => code)).toEqual([
    'PAYLOAD_TOO_LARGE',
    'PAYLOAD_TOO_LARGE',
  ]);
  expect((await service.field('{ workflows { nodes { title } totalCount } }')).totalCount).toBe(2);
  expect(
    (await service.field('query($id: ID!) { workflow(id: $id) { ui } }', { id: ids[0] })).ui,
  ).toHaveLength(CHARACTERS);

  const { body } = await service.api('GET', '/api/connection/all');
  expect(
    (body as { connectionId: number; ui: string }[]).map(({ connectionId, ui }) => [
      connectionId,
      ui.length,
    ]),
  ).toEqual(ids.map((id) => [id, CHARACTERS]));
});

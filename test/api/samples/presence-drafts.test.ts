import { testService } from '../../support/service/harness';
import { socketOf } from '../../support/service/watch';
import { method, saved, workflow } from '../../support/documents/workflows';
import { storeConnection } from '../../support/store/stored';

/* Who has a workflow open, and what each user has not saved of it. */

const service = testService();
const made = (): Promise<number> => saved(service, workflow([method('0', 'http://a.test')]));
const PRESENCE = 'presence { stepId since user { email } }';
const presenceOf = async (id: number, token?: string): Promise<any[]> =>
  (await service.field(`query ($id: ID!) { workflow(id: $id) { ${PRESENCE} } }`, { id }, token))
    .presence;
const change = (name: string, input: object, token?: string): Promise<any> =>
  service.field(
    `mutation ($input: W${name.slice(1)}Input!) { ${name}(input: $input) { workflow { version ${PRESENCE} draft { content savedAt } } userErrors { code path } } }`,
    { input },
    token,
  );
const rows = (name: string, id: number): Promise<number> =>
  storeConnection().collection(name).countDocuments({ workflowId: id });

it('presence is seen by other users, reported when it changes, and ends', async () => {
  const id = await made();
  const reader = await service.userWith(['CONNECTION:READ']);
  const client = socketOf(service, reader.token);
  const messages = client.iterate<any>({
    query: `subscription { workflowsChanged(includePresence: true) { changed { databaseId ${PRESENCE} } } }`,
  });
  const next = async (): Promise<any> =>
    (await messages.next()).value.data.workflowsChanged.changed.find(
      ({ databaseId }: any) => databaseId === id,
    )?.presence;
  expect(await next()).toBeUndefined();
  const workflowId = String(id);
  const { workflow: first } = await change('workflowPresenceSet', { workflowId, stepId: 'm0' });
  expect(first).toMatchObject({
    version: 1,
    presence: [{ stepId: 'm0', user: { email: 'admin@hypha.test' } }],
  });
  expect(await next()).toEqual(first.presence);
  await change('workflowPresenceSet', { workflowId, stepId: 'm0' });
  await change('workflowPresenceSet', { workflowId }, reader.token);
  expect(await next()).toMatchObject([
    { stepId: 'm0' },
    { stepId: null, user: { email: reader.email } },
  ]);
  expect(await presenceOf(id)).toHaveLength(2);
  await change('workflowPresenceSet', { workflowId, present: false });
  expect(await next()).toMatchObject([{ user: { email: reader.email } }]);
  await client.dispose();
  await storeConnection()
    .collection('workflow_presence')
    .updateMany({ workflowId: id }, { $set: { expiresAt: new Date(0) } });
  expect(await presenceOf(id)).toEqual([]);
  const { userErrors } = await change('workflowPresenceSet', { workflowId: '4711' });
  expect(userErrors).toEqual([{ code: 'CONNECTION_NOT_FOUND', path: ['workflowId'] }]);
});

it('presence and drafts are deleted with the workflow and the user', async () => {
  const id = await made();
  const editor = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
  const input = { workflowId: String(id) };
  for (const token of [undefined, editor.token]) {
    await change('workflowPresenceSet', input, token);
    await change('workflowDraftSet', { ...input, content: {} }, token);
  }
  await service.api('DELETE', `/api/user/${editor.id}`);
  expect([await rows('workflow_presence', id), await rows('workflow_drafts', id)]).toEqual([1, 1]);
  await service.api('DELETE', `/api/connection/${id}`);
  expect([await rows('workflow_presence', id), await rows('workflow_drafts', id)]).toEqual([0, 0]);
});

it('a draft belongs to one user, is replaced, limited and removed', async () => {
  const id = await made();
  const editor = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
  const input = { workflowId: String(id) };
  const draftOf = async (token?: string): Promise<any> =>
    (
      await service.field(
        'query ($id: ID!) { workflow(id: $id) { draft { content } } }',
        { id },
        token,
      )
    ).draft;
  await change('workflowDraftSet', { ...input, content: { expression: '' } });
  const { workflow: after } = await change('workflowDraftSet', { ...input, content: [1] });
  expect(after).toMatchObject({ version: 1, draft: { content: [1], savedAt: expect.any(String) } });
  expect([await draftOf(), await draftOf(editor.token)]).toEqual([{ content: [1] }, null]);
  const long = await change('workflowDraftSet', { ...input, content: 'x'.repeat(300_000) });
  expect(long.userErrors).toEqual([{ code: 'TEXT_TOO_LONG', path: ['content'] }]);
  expect((await change('workflowDraftRemove', input)).workflow.draft).toBeNull();
  expect((await change('workflowDraftRemove', input)).userErrors).toEqual([]);
});

import { HyphaClient } from '../../examples/clients/fetch';
import { png } from '../support/documents/images';
import { ADMIN_EMAIL, ADMIN_PASSWORD, testService, unique } from '../support/service/harness';

const service = testService();
const login = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD };

it('the client of the guide without a library signs in, pages, changes, uploads and renews its session', async () => {
  const client = new HyphaClient(service.url, login);
  const CREATE =
    'mutation ($input: GroupCreateInput!) { groupCreate(input: $input) { group { name } userErrors { code path message } } }';
  const names = [unique('Paged'), unique('Paged'), unique('Paged')];
  for (const name of names)
    expect((await client.change(CREATE, { input: { name } })).group).toEqual({ name });
  await expect(client.change(CREATE, { input: { name: names[0] } })).rejects.toThrow(
    'ROLE_ALREADY_EXIST name: ',
  );

  await client.ask('mutation { logout { sessionId } }');
  const entries: unknown[] = [];
  for await (const { name } of client.entries(
    'query ($after: String) { userGroups(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }',
  ))
    entries.push(name);
  expect(entries).toEqual(expect.arrayContaining(names));
  expect(new Set(entries).size).toBe(entries.length);

  const { user } = await client.change(
    'mutation ($id: ID!, $file: Upload!) { userPictureUpload(input: { id: $id, file: $file }) { user { databaseId } userErrors { code path message } } }',
    { id: '1' },
    new File([new Uint8Array(png())], 'face.png', { type: 'image/png' }),
  );
  expect(user).toEqual({ databaseId: 1 });
});

it('the client of the guide reports a wrong password once', async () => {
  const client = new HyphaClient(service.url, { ...login, password: 'wrong password' });
  await expect(client.ask('{ me { email } }')).rejects.toThrow('CREDENTIALS_WRONG');
});

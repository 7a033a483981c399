import { readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { buildSchema, isAbstractType } from 'graphql';
import { startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { remoteSystem } from '../support/peers/remote-system';
import { ended } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';

export const schema: GraphQLSchema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

/** The possible types of each interface and union, in the format of Apollo. */
export const possibleTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
);

/** Two workflows with the same step ids, such as copies, a run of each, and two users. */
interface ClientFixture {
  readonly service: TestService;
  readonly workflows: readonly {
    readonly id: string;
    readonly title: string;
    readonly stepNames: readonly string[];
  }[];
  readonly runs: readonly string[];
  readonly users: readonly { readonly id: string; readonly email: string }[];
  /** Bodies of the requests to /graphql since the last call. */
  requests(): unknown[];
  close(): Promise<void>;
}

export async function openClientFixture(): Promise<ClientFixture> {
  const service = await startService();
  const remote = await remoteSystem(() => ({
    status: 200,
    body: '{"ok":true}',
    headers: { 'content-type': 'application/json' },
  }));
  const ids: number[] = [];
  const runs: string[] = [];
  for (const copy of ['first', 'second']) {
    const id = await saved(
      service,
      workflow([
        method('0', remote.url, { name: `call of the ${copy}` }),
        method('1', remote.url, { name: `end of the ${copy}` }),
      ]),
    );
    ids.push(id);
    const run = await started(service, id, true);
    await ended(service, run);
    runs.push(
      (await service.data('query($id: ID!) { run(id: $id) { id } }', { id: String(run) })).run.id,
    );
  }
  const workflows = await Promise.all(
    ids.map(async (id, index) => {
      const { workflow: stored } = await service.data(
        'query($id: ID!) { workflow(id: $id) { id title } }',
        { id: String(id) },
      );
      const copy = ['first', 'second'][index];
      return { ...stored, stepNames: [`call of the ${copy}`, `end of the ${copy}`] };
    }),
  );
  const users = await Promise.all(
    ['ada', 'grace'].map(async (name) => {
      const { email, id } = await service.userWith(['USER:READ'], name);
      return {
        email,
        id: (await service.data('query($id: ID!) { user(id: $id) { id } }', { id: String(id) }))
          .user.id,
      };
    }),
  );

  let bodies: unknown[] = [];
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    if (String(input instanceof Request ? input.url : input).endsWith('/graphql'))
      bodies.push(init?.body);
    return send(input, init);
  };
  return {
    service,
    workflows,
    runs,
    users,
    requests() {
      const since = bodies;
      bodies = [];
      return since;
    },
    async close() {
      globalThis.fetch = send;
      await service.close();
      await remote.close();
    },
  };
}

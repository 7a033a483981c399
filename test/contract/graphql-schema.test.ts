import { graphqlSchema } from '../../src/app';
import { declaredNeed, isServedOnFullDisk } from '../../src/platform/graphql/schema/needs';
import { undescribed } from '../support/service/undescribed';

describe('the served GraphQL schema', () => {
  const schema = graphqlSchema();

  it('describes everything that a client can name', () => {
    expect(undescribed(schema)).toEqual([]);
  });

  it('declares permissions on every root field, and only a login works without a session', () => {
    const roots = [
      schema.getQueryType(),
      schema.getMutationType(),
      schema.getSubscriptionType(),
    ].flatMap((type) => Object.values(type?.getFields() ?? {}));
    expect(roots.length).toBeGreaterThan(40);
    expect(
      roots
        .filter(({ extensions }) => declaredNeed(extensions) === undefined)
        .map(({ name }) => name),
    ).toEqual([]);
    expect(
      roots
        .filter(({ extensions }) => declaredNeed(extensions)?.need === 'public')
        .map(({ name }) => name),
    ).toEqual(['passwordForgotten', 'passwordReset', 'loginConfirm', 'login']);
  });

  it('serves on a full disk only what frees space, concerns sessions, or stores nothing', () => {
    const served = Object.values(schema.getMutationType()?.getFields() ?? {})
      .filter(({ extensions }) => isServedOnFullDisk(extensions))
      .map(({ name }) => name);
    expect(served.filter((name) => !name.endsWith('Delete')).sort()).toEqual([
      'apiTokenRevoke',
      'connectorCheck',
      'connectorIconRemove',
      'groupIconRemove',
      'ldapTest',
      'login',
      'loginConfirm',
      'logout',
      'runCancel',
      'sampleRemove',
      'serviceRestart',
      'sessionEnd',
      'userPictureRemove',
      'userSessionsEnd',
      'workflowDraftRemove',
      'workflowExport',
    ]);
    expect(served.filter((name) => name.endsWith('Delete')).length).toBeGreaterThan(20);
  });

  it('gives every mutation one input and a payload with userErrors', () => {
    for (const { name, args, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      const isRequired = !['logout', 'exampleWorkflowCreate'].includes(name);
      expect([name, args.map((argument) => `${argument.name}: ${String(argument.type)}`)]).toEqual([
        name,
        [expect.stringMatching(isRequired ? /^input: \w+Input!$/ : /^input: \w+Input$/)],
      ]);
      expect([name, type.toString()]).toEqual([name, expect.stringMatching(/^\w+Payload!$/)]);
    }
  });
});

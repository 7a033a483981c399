import type { ReachedService } from '../../test/support/service/harness';
import { ADMIN } from '../service/probed-service';
import { sent } from './case';
import type { Case } from './case';
import { SMALL } from './documents';

/** Units that are slow to normalise and compare: marks out of order, marks that compose, one character that becomes eighteen. */
const UNITS = [
  '\u0301\u0323',
  '\u0323\u0301\u0327',
  'e\u0301',
  '\u0344',
  '\uff9e',
  'か\u3099',
  '\ufdfa',
  'İ',
  '\u00ad',
  'a',
  '\u1100\u1161',
];

const GROUP =
  'mutation($text: String!) { groupCreate(input: { name: $text }) { userErrors { code } } }';
const LOGIN =
  'mutation($text: String!) { login(input: { email: $text, password: $text }) { token } }';
const PASSWORD = `mutation($text: String!) { login(input: { email: "${ADMIN.email}", password: $text }) { token } }`;
const SEARCH = 'query($text: String!) { users(search: $text) { totalCount } }';

/** Every field in which a text is compared, folded or composed. */
const FIELDS: Readonly<
  Record<string, (service: ReachedService, text: string) => Promise<unknown>>
> = {
  'e-mail of a login': (service, text) =>
    service.api('POST', '/api/login', { token: null, body: { email: text, password: 'x' } }),
  'password of a login': (service, text) =>
    service.api('POST', '/api/login', {
      token: null,
      body: { email: ADMIN.email, password: text },
    }),
  'e-mail of a user': (service, text) =>
    service.api('POST', '/api/user', {
      body: { email: text, password: 'long enough', userGroup: 2 },
    }),
  'password of a user': (service, text) =>
    service.api('POST', '/api/user', {
      body: { email: 'a@hypha.test', password: text, userGroup: 2 },
    }),
  'name of a user': (service, text) =>
    service.api('POST', '/api/user', {
      body: {
        email: 'a@hypha.test',
        password: 'long enough',
        userGroup: 2,
        userDetail: { name: text, surname: text },
      },
    }),
  'changed password': (service, text) =>
    service.api('PUT', '/api/user/1', { body: { email: ADMIN.email, password: text } }),
  'name of a group': (service, text) => service.api('POST', '/api/role', { body: { name: text } }),
  'description of a group': (service, text) =>
    service.api('POST', '/api/role', { body: { name: '', description: text } }),
  'name of a permission': (service, text) =>
    service.api('POST', '/api/permission', { body: { name: text } }),
  'title of a workflow': (service, text) =>
    service.api('POST', '/api/connection', { body: { title: text } }),
  'description of a workflow': (service, text) =>
    service.api('POST', '/api/connection', { body: { title: 'a', description: text } }),
  'id of a step': (service, text) =>
    service.api('POST', '/api/connection', {
      body: { title: '', fromConnector: { methods: [{ id: text, name: text }], operators: [] } },
    }),
  'name of a group, GraphQL': (service, text) =>
    service.api('POST', '/graphql', { body: { query: GROUP, variables: { text } } }),
  'e-mail of a login, GraphQL': (service, text) =>
    service.api('POST', '/graphql', { body: { query: LOGIN, variables: { text } } }),
  'password of a login, GraphQL': (service, text) =>
    service.api('POST', '/graphql', { body: { query: PASSWORD, variables: { text } } }),
  'what is looked for, GraphQL': (service, text) =>
    service.api('POST', '/graphql', { body: { query: SEARCH, variables: { text } } }),
};

/** Texts of 1 MiB in every such field. */
export const textCases = (service: ReachedService): Case[] =>
  Object.entries(FIELDS).flatMap(([field, send]) =>
    UNITS.map((unit) =>
      sent('text', `${field}: ${JSON.stringify(unit)} repeated`, () =>
        send(service, unit.repeat(Math.floor(SMALL / Buffer.byteLength(unit))).slice(0, 500_000)),
      ),
    ),
  );

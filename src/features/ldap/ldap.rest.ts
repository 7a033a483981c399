import { z } from 'zod';
import type { Services } from '../../platform/context';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import type { Audience } from '../../platform/http/dialects/released-client';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { ldapPolicy } from './ldap.policy';

const route = routesTagged('LDAP');
const text = (description: string) => z.string().meta({ description });

const FIELDS = {
  urls: text('Servers, separated by blanks, in the order in which they are tried.'),
  userDN: text('Where users are searched.'),
  groupDN: text('Where groups are searched.'),
  username: text('The bind account; empty for anonymous searches.'),
  password: text('The password of the bind account. It is masked in responses.'),
  userSearchFilter: text('`{0}`: what the user enters as e-mail.'),
  groupSearchFilter: text('`{0}`: the distinguished name of the user.'),
  timeout: text('Maximum duration of a sign-in over all servers, ms.'),
};

const LdapConfigBody = z.object(FIELDS).meta({ id: 'LdapConfig' });

const LdapTestInput = z
  .object({
    urls: FIELDS.urls.nullish(),
    userDN: FIELDS.userDN.nullish(),
    groupDN: FIELDS.groupDN.nullish(),
    username: FIELDS.username.nullish(),
    password: FIELDS.password.nullish(),
    userSearchFilter: FIELDS.userSearchFilter.nullish(),
    groupSearchFilter: FIELDS.groupSearchFilter.nullish(),
    timeout: FIELDS.timeout.nullish(),
    email: text('The user to look up. Without it, only the search bases are checked.').nullish(),
  })
  .meta({
    id: 'LdapTest',
    description: 'Omitted values and null are those of the configuration.',
  });

const LdapTestMessages = z.array(
  z.object({ title: text('The stage.'), text: text('What happened.') }).meta({
    id: 'LdapTestMessage',
  }),
);

type Messages = readonly z.output<typeof LdapTestMessages>[number][];

interface LdapPresenters {
  /** The messages of a test that succeeded. */
  readonly tested: Presenter<[Messages, Audience]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly ldap: LdapPresenters;
  }
}

export const documentedLdap: LdapPresenters = {
  tested: presenter(LdapTestMessages, (messages: Messages) => messages),
};

const ReleasedLdapTest = z
  .object({ status: z.literal(200), messages: LdapTestMessages })
  .meta({ id: 'ReleasedLdapTest', description: 'For the 5.x client.' });

/** The 4.x client reads a list, the 5.x client the status. */
export const releasedLdap: LdapPresenters = {
  tested: presenter(
    z.union([LdapTestMessages, ReleasedLdapTest]),
    (messages: Messages, { client }: Audience) =>
      client() === '4.x' ? messages : { status: 200 as const, messages },
  ),
};

export const ldapRoutes = ({ ldapCheck }: Services, { ldap: shown }: Presenters): Route[] => [
  route('GET /ldap/default/config', {
    needs: ldapPolicy.readConfig,
    summary: 'Returns the configuration of the LDAP directory',
    answer: LdapConfigBody,
    handle: () => Promise.resolve(ldapCheck.shownConfig()),
  }),
  route('POST /ldap/test', {
    servedOnFullDisk: true,
    needs: ldapPolicy.test,
    summary: 'Tests the connection to the LDAP directory',
    description:
      'Returns a message for each stage: connect, bind, user search, group search, mapping. If a stage fails, the status is 400 and the last message says why. The stored password is only sent to the configured servers and account.',
    body: LdapTestInput,
    example: { body: {} },
    answer: shown.tested.answer,
    badAnswer: LdapTestMessages,
    errors: ['LDAP_NOT_CONFIGURED'],
    handle: async ({ actor, body, audience }) => {
      const { isSuccessful, messages } = await ldapCheck.run(actor, body);
      return isSuccessful ? shown.tested(messages, audience) : new Reply(messages, {}, 400);
    },
  }),
];

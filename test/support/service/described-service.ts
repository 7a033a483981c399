import { startService } from './harness';
import type { TestService } from './harness';
import { environment, GROUPS, person, READER, USERS } from '../peers/ldap-directory';
import { startDirectory } from '../peers/ldap-server';
import { UNREACHABLE_MAIL } from '../peers/mail-server';
import { MASTER_PASSWORD } from './master-password';
import { startPortal } from '../peers/portal';
import { freePort } from '../process';

export const WEBHOOK_CALLS = 12;
export const TOKEN_SECRET = 'a secret of the tests that is long enough';

export interface DescribedService {
  readonly service: TestService;
  readonly port: number;
  close(): Promise<void>;
}

/** A service with a directory, a portal, mail and a master password, so that every operation can succeed. */
export async function startDescribedService(): Promise<DescribedService> {
  const directory = await startDirectory([
    READER,
    { dn: USERS, attributes: {} },
    { dn: GROUPS, attributes: {} },
    person('ada'),
  ]);
  const portal = await startPortal();
  const port = await freePort();
  const service = await startService({
    env: {
      ...environment(directory.url),
      SPRING_SECURITY_LDAP_GROUP_ROLE_MAPPING: JSON.stringify([
        { 'ldap-group': `cn=staff,${GROUPS}`, 'oc-role': 'User' },
      ]),
      ...UNREACHABLE_MAIL,
      ...portal.env,
      PORT: String(port),
      HYPHA_PUBLIC_URL: `http://127.0.0.1:${port}`,
      HYPHA_TOKEN_SECRET: TOKEN_SECRET,
      HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD,
      HYPHA_LIMITS_WEBHOOK_CALLS: String(WEBHOOK_CALLS),
    },
  });
  return {
    service,
    port,
    async close() {
      await service.close();
      await directory.close();
      await portal.close();
    },
  };
}

import { readFile } from 'node:fs/promises';
import type { Config } from '../../config/config';
import {
  anyEntry,
  anyOf,
  describeResult,
  dnKey,
  LDAP_RESULT,
  LdapConnection,
  LdapFailure,
  NO_ATTRIBUTES,
  parseFilterTemplate,
} from '../../platform/outbound';
import type { AddressPolicy, FilterTemplate, LdapEntry, LdapFound } from '../../platform/outbound';
import type { DirectoryDetail } from '../users/password-directory';

export type LdapSettings = Config['ldap'];

/** Attributes of a person for each detail of a user; the first one that has a value is used. */
const ATTRIBUTES = {
  name: ['givenname'],
  surname: ['sn'],
  phoneNumber: ['telephonenumber'],
  department: ['department', 'departmentnumber'],
  organisation: ['o', 'company'],
  salutation: ['title'],
} as const satisfies Record<keyof DirectoryDetail, readonly string[]>;

/** Two entries for one name are too many. */
const MAX_USERS = 2;
const MAX_GROUPS = 20_000;
/** Active Directory returns at most 1,000 entries at once, OpenLDAP 500. */
const PAGE_SIZE = 500;

const mapDetail = (valueOf: (attributes: readonly string[]) => string | null): DirectoryDetail =>
  Object.fromEntries(
    Object.entries(ATTRIBUTES).map(([field, attributes]) => [field, valueOf(attributes)]),
  ) as unknown as DirectoryDetail;

export const detailOf = ({ values }: LdapEntry): DirectoryDetail =>
  mapDetail((attributes) => attributes.flatMap((name) => values.get(name) ?? [])[0] ?? null);

/** The names of the groups of a user. */
interface LdapGroups {
  readonly names: readonly string[];
  /** The search base does not exist, or the bind account cannot read it. */
  readonly isBaseMissing: boolean;
}

/** Returns the keys of an entry: see `DirectoryPerson`. */
export function entryKeysOf({ dn, values }: LdapEntry): string[] {
  const [uuid] = values.get('entryuuid') ?? [];
  const [guid] = values.get('objectguid') ?? [];
  return [
    ...(uuid ? [`entryUUID=${uuid.toLowerCase()}`] : []),
    ...(guid ? [`objectGUID=${guid}`] : []),
    `dn=${dnKey(dn) ?? dn}`,
  ];
}

/** A role, and the group of the mapping that gave it; null for the default role. */
interface MappedRole {
  readonly role: string;
  readonly group: string | null;
}

/** The requests of a login to one directory, used by logins and by the test of the connection. */
export class LdapSteps {
  private readonly userFilter: FilterTemplate;
  private readonly groupFilter: FilterTemplate;
  private readonly roles: readonly (MappedRole & { readonly key: string | null })[];

  /** @param policy for servers that a caller names; null for those of the configuration */
  constructor(
    readonly settings: LdapSettings,
    private readonly policy: AddressPolicy | null = null,
  ) {
    this.userFilter = parseFilterTemplate(settings.userSearchFilter);
    this.groupFilter = parseFilterTemplate(settings.groupSearchFilter);
    this.roles = settings.groupRoles.map(({ group, role }) => ({ group, role, key: dnKey(group) }));
  }

  /**
   * @param limits `timeoutMs` replaces a longer one of the settings
   * @throws LdapFailure
   */
  async connect(
    url: string,
    { signal, timeoutMs: most = Infinity }: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<LdapConnection> {
    const { startTls, caFile } = this.settings;
    const timeoutMs = Math.min(this.settings.timeoutMs, most);
    const ca = caFile === null ? null : await readCertificates(caFile);
    return LdapConnection.open({ url, startTls, ca, timeoutMs, policy: this.policy, signal });
  }

  /**
   * Signs in as the bind account, if there is one.
   * @throws LdapFailure if the account is refused
   */
  async bind(connection: LdapConnection): Promise<void> {
    const { username, password } = this.settings;
    if (username === null || password === null) return;
    const { code, diagnostic } = await connection.bind(username, password);
    if (code !== LDAP_RESULT.success)
      throw new LdapFailure(
        'RESULT',
        `The bind account "${username}" was refused: ${describeResult(code, diagnostic)}.`,
        code,
      );
  }

  /**
   * Returns at most two entries.
   * @param forms ways to write one name
   * @throws LdapFailure
   */
  findUsers(connection: LdapConnection, forms: readonly string[]): Promise<LdapFound> {
    return connection.search({
      base: this.settings.userSearchBase,
      scope: 'sub',
      filter: anyOf(forms.map((form) => this.userFilter(form, form))),
      attributes: [
        ...Object.values(ATTRIBUTES).flat(),
        ...['mail', 'entryUUID', 'objectGUID'],
        ...this.userFilter.attributes,
      ],
      maxEntries: MAX_USERS,
    });
  }

  /** Returns the names with which the user search filter may find an entry. */
  namesOf({ values }: LdapEntry): readonly string[] {
    const names = this.userFilter.attributes.flatMap((attribute) => values.get(attribute) ?? []);
    // Addresses in `proxyAddresses` of Active Directory.
    return [...new Set(names.map((name) => name.replace(/^smtp:/i, '')))];
  }

  /** Returns the names of the groups of a user. @throws LdapFailure */
  async findGroups(connection: LdapConnection, dn: string, name: string): Promise<LdapGroups> {
    // Without a mapping, all users get the default role.
    if (this.roles.length === 0) return { names: [], isBaseMissing: false };
    const { entries, isCut, isBaseMissing } = await connection.search({
      base: this.settings.groupSearchBase,
      scope: 'sub',
      filter: this.groupFilter(dn, name),
      attributes: NO_ATTRIBUTES,
      maxEntries: MAX_GROUPS,
      pageSize: PAGE_SIZE,
    });
    // A missing group could give another role.
    if (isCut)
      throw new LdapFailure(
        'TOO_LARGE',
        entries.length < MAX_GROUPS
          ? `The directory returned only ${entries.length} groups of "${dn}" (sizeLimitExceeded): raise its size limit for the bind account, or make group-search-base or group-search-filter narrower.`
          : `"${dn}" has more than ${MAX_GROUPS} groups: make group-search-base or group-search-filter narrower.`,
      );
    return { names: entries.map((entry) => entry.dn), isBaseMissing };
  }

  /** Returns the role of the first mapping, in the configured order, whose group is in the list. */
  roleOf(groups: readonly string[]): MappedRole {
    const keys = new Set(groups.map(dnKey));
    const mapping = this.roles.find(({ key }) => key !== null && keys.has(key));
    return mapping
      ? { role: mapping.role, group: mapping.group }
      : { role: this.settings.defaultRole, group: null };
  }

  /** Returns whether an entry exists. @throws LdapFailure */
  async exists(connection: LdapConnection, base: string): Promise<boolean> {
    const { entries } = await connection.search({
      base,
      scope: 'base',
      filter: anyEntry(),
      attributes: NO_ATTRIBUTES,
      maxEntries: 1,
    });
    return entries.length > 0;
  }
}

async function readCertificates(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new LdapFailure('TLS_FAILED', `The CA file ${file} cannot be read (${error.code}).`);
  });
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new LdapFailure('TLS_FAILED', `The CA file ${file} has no certificate in PEM format.`);
  return pem;
}

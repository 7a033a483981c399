import { ACTIONS, ADMIN_GROUP, COMPONENTS, USER_GROUP } from '../../platform/access/catalogue';
import { firstCharacters, hasMoreCharacters } from '../../platform/text/characters';
import { emailKeyOf } from '../../platform/text/email';
import { GROUP_LENGTHS } from '../groups/group-adoption.service';
import { DETAIL_LENGTHS } from '../users/user.service';
import type { DetailChange } from '../users/user.service';
import { DUMP_FILES } from './dump.schema';
import type { DumpEntry } from './dump.schema';
import { FreeNames } from './free-names';
import { importRecord } from './import-context';
import type { ImportContext } from './import-context';
import { fileNameOf } from './pictures';
import type { Place, Report } from './report';

/** Ids of the two groups of every installation. Released versions compare their names exactly. */
const BUILT_IN: ReadonlyMap<string, number> = new Map([
  [ADMIN_GROUP, 1],
  [USER_GROUP, 2],
]);

const DASHBOARD = {
  componentId: COMPONENTS.find(({ name }) => name === 'DASHBOARD')?.id ?? 0,
  permissions: ['READ'],
};

/** Cost 10 is usual; one above 14 would take seconds for each login. */
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

/** Details that are texts, by their names here, with those in the released line. */
const TEXTS = {
  name: 'name',
  surname: 'surname',
  salutation: 'userTitle',
  phoneNumber: 'phoneNumber',
  department: 'department',
  organisation: 'organization',
  theme: 'theme',
  bitbucketUser: 'bitbucketUser',
} as const satisfies Record<keyof typeof DETAIL_LENGTHS, string>;

const isLdap = ({ authMethod }: DumpEntry<'users'>): boolean =>
  authMethod?.toUpperCase() === 'LDAP';
const hashOf = ({ passwordHash }: DumpEntry<'users'>): string | null =>
  passwordHash != null && BCRYPT.test(passwordHash) ? passwordHash : null;

/** Imports roles as groups. Returns the ids of the groups by those of the roles. */
export async function importRoles(context: ImportContext): Promise<ReadonlyMap<number, number>> {
  const { actor, tx, report, dump, services, pictures } = context;
  const groups = new Map<number, number>();
  const names = new FreeNames(GROUP_LENGTHS.name, [...BUILT_IN.keys()]);
  const adopted = new Set<number>();
  for (const [index, role] of dump.roles.entries()) {
    const place = { file: DUMP_FILES.roles.file, index };
    const sameId = BUILT_IN.get(role.name);
    const builtIn = sameId === undefined || adopted.has(sameId) ? undefined : sameId;
    if (builtIn !== undefined) adopted.add(builtIn);
    const name =
      builtIn === undefined
        ? names.take(role.name, `Role ${role.groupId}`, place, report)
        : role.name;
    const id = builtIn ?? (await freeGroupId(role.groupId, context));
    const done = await importRecord(report, place, name, async () => {
      // The administrators have all rights already.
      if (builtIn === 1) return;
      const components = componentsOf(role, place, report);
      // The start page of released clients shows the dashboard to everyone.
      if (builtIn !== undefined) components.push(DASHBOARD);
      const picture = pictures.get(fileNameOf(role.icon) ?? '') ?? null;
      const fields = { name, description: role.description ?? null, components };
      await services.groupAdoption.adopt(actor, fields, { id, tx, picture });
    });
    if (!done) continue;
    groups.set(role.groupId, id);
    if (id !== role.groupId)
      report.changed(place, `${name}: The group has the id ${id} instead of ${role.groupId}.`);
  }
  return groups;
}

/** The ids of the built-in groups are taken. */
async function freeGroupId(id: number, { services, tx }: ImportContext): Promise<number> {
  return [...BUILT_IN.values()].includes(id) ? services.groupAdoption.newId(tx) : id;
}

/**
 * The components and permissions that exist here; others are reported. The id counts only without a
 * name: it may be that of another component here.
 */
function componentsOf(
  { name: role, components }: DumpEntry<'roles'>,
  place: Place,
  report: Report,
): { componentId: number; permissions: string[] }[] {
  return components.flatMap(({ componentId, name, permissions }) => {
    const component = COMPONENTS.find((each) =>
      name == null ? each.id === componentId : each.name === name.trim().toUpperCase(),
    );
    if (!component) {
      report.partLeftOut(place, `${role}: There is no component ${name ?? componentId ?? '?'}.`);
      return [];
    }
    const actions = permissions.flatMap((written) => {
      const permission = ACTIONS.find((each) => each === written.trim().toUpperCase());
      if (permission === undefined)
        report.partLeftOut(place, `${role}: There is no permission ${JSON.stringify(written)}.`);
      return permission ?? [];
    });
    return [{ componentId: component.id, permissions: actions }];
  });
}

/**
 * Imports users with the hashes of their passwords. Returns their e-mails by id.
 * @param groups ids of groups by ids of roles
 */
export async function importUsers(
  context: ImportContext,
  groups: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, string>> {
  const { actor, tx, report, dump, services, pictures } = context;
  await makeRoom(context, groups);
  const users = new Map<number, string>();
  for (const [index, user] of dump.users.entries()) {
    const place = { file: DUMP_FILES.users.file, index };
    const email = user.email.trim();
    const passwordHash = isLdap(user) ? null : hashOf(user);
    const groupId = groups.get(user.userGroup);
    if (groupId === undefined) {
      report.leftOut(place, `${email}: The role ${user.userGroup} does not come over.`);
      continue;
    }
    const done = await importRecord(report, place, email, async () => {
      const detail = detailOf(user, place, report);
      const authSource = isLdap(user) ? 'ldap' : 'local';
      const picture = pictures.get(fileNameOf(user.userDetail?.profilePicture) ?? '') ?? null;
      const account = { email, passwordHash, authSource, groupId, detail } as const;
      await services.users.adopt(actor, account, { id: user.userId, tx, picture });
    });
    if (!done) continue;
    users.set(user.userId, email);
    if (!isLdap(user) && passwordHash === null)
      report.assumed(
        place,
        `${email}: There is no bcrypt hash of a password: the user needs a new password.`,
      );
    if (user.totpEnabled)
      report.partLeftOut(place, `${email}: The second factor does not come over.`);
  }
  return users;
}

/** Gives the account of a new installation another id, or removes it, if an imported user needs it. */
async function makeRoom(
  { actor, tx, report, dump, services }: ImportContext,
  groups: ReadonlyMap<number, number>,
): Promise<void> {
  const { userRecords, userDeletion, seed } = services;
  const [first] = await userRecords.collection.find({}, { tx, limit: 1 });
  if (!first) return;
  const { file } = DUMP_FILES.users;
  const same = dump.users.findIndex(({ email }) => emailKeyOf(email) === first.emailKey);
  const heir = dump.users[same];
  if (heir && !isLdap(heir) && hashOf(heir) !== null && groups.get(heir.userGroup) === 1) {
    await userDeletion.makeRoom(actor, first, null, tx);
    report.changed(
      { file, index: same },
      `${first.email}: This user replaces the administrator of the new installation.`,
    );
    return;
  }
  const taker = dump.users.findIndex(({ userId }) => userId === first._id);
  if (taker < 0) return;
  const id = await userRecords.newId(tx);
  await userDeletion.makeRoom(actor, first, id, tx);
  await seed.renumbered(first._id, id, tx);
  report.changed(
    { file, index: taker },
    `${first.email}: The administrator of the new installation has the id ${id} now, since this user has the id ${first._id}.`,
  );
}

function detailOf(
  { email, userDetail }: DumpEntry<'users'>,
  place: Place,
  report: Report,
): DetailChange {
  const detail = userDetail ?? {};
  const text = (field: keyof typeof TEXTS): string | null => {
    const [name, most] = [TEXTS[field], DETAIL_LENGTHS[field]];
    const value = (detail[name] ?? '').toWellFormed();
    if (!hasMoreCharacters(value, most)) return value === '' ? null : value;
    report.changed(
      place,
      `${email}: userDetail.${name} has more than ${most} characters: it was cut.`,
    );
    // A theme is JSON, of which a part is useless.
    return field === 'theme' ? null : firstCharacters(value, most);
  };
  const lang = (detail.lang ?? '').trim().toLowerCase();
  if (lang !== 'en' && lang !== 'de')
    report.assumed(
      place,
      `${email}: The language ${JSON.stringify(lang)} is not known: en was taken.`,
    );
  return {
    name: text('name'),
    surname: text('surname'),
    salutation: text('salutation'),
    phoneNumber: text('phoneNumber'),
    department: text('department'),
    organisation: text('organisation'),
    appTour: detail.appTour ?? false,
    theme: text('theme'),
    themeSync: detail.themeSync ?? false,
    lang: lang === 'de' ? 'de' : 'en',
    bitbucketUser: text('bitbucketUser'),
  };
}

import type { Group } from '../../../src/features/groups/group.model';
import type { Backend, Session, ShownUser } from './backend';

const shownGroup = ({ id, name, description, components }: Group) => ({
  enhanceId: id,
  name,
  description,
  icon: null,
  components: components.map(({ component, permissions }) => ({
    enhanceId: component.id,
    name: component.name,
    description: component.description,
    permissions: permissions.map((permission) => permission.name),
  })),
});

const shownUser = ({ _id, email, detail, picture }: ShownUser, group: object) => ({
  enhanceId: _id,
  email,
  userGroup: [group],
  userDetail: {
    enhanceId: _id,
    name: detail.name,
    surname: detail.surname,
    phoneNumber: detail.phoneNumber,
    department: detail.department,
    organisation: detail.organisation,
    salutation: detail.salutation,
    profilePicture: picture,
    requestTime: detail.requestTime,
  },
});

/** The bodies of the REST peers. Each group is presented once per request. */
export const restAnswers = (backend: Backend) => ({
  async all(session: Session): Promise<object> {
    backend.require(session, 'USER:READ');
    const groups = new Map<number, object>();
    const users = await backend.allUsers();
    return {
      _embedded: {
        userResources: users.map((user) => {
          const group = groups.get(user.groupId) ?? shownGroup(backend.groupOf(user));
          groups.set(user.groupId, group);
          return shownUser(user, group);
        }),
      },
    };
  },

  async one(session: Session, id: number): Promise<object> {
    backend.require(session, 'USER:READ');
    const user = await backend.user(id);
    if (!user) throw new Error(`There is no user ${id}.`);
    return shownUser(user, shownGroup(backend.groupOf(user)));
  },
});

import { z } from 'zod';
import { AnswerId, BodyId, requiring } from '../../platform/http/scalars';
import type { GroupChange } from './group.service';

/** Spec 2.4. */
export const ComponentBody = z
  .object({
    enhanceId: AnswerId,
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
  })
  .meta({
    id: 'Component',
    description: 'A guarded part of the service, and what a group may do with it.',
  });

/** Spec 2.3. */
export const GroupBody = z
  .object({
    enhanceId: AnswerId,
    name: z.string(),
    description: z.string().nullable(),
    icon: z.string().meta({ format: 'uri', description: 'Where the icon is.' }).nullable(),
    components: z.array(ComponentBody),
  })
  .meta({ id: 'UserGroup', description: 'A group of users.' });

export const GroupList = z
  .object({ _embedded: z.object({ userGroupResources: z.array(GroupBody) }) })
  .meta({ id: 'UserGroupList' });

export const ComponentList = z
  .object({
    _embedded: z.object({ componentResources: z.array(ComponentBody.omit({ permissions: true })) }),
  })
  .meta({ id: 'ComponentList' });

const GrantBody = z.object({
  enhanceId: BodyId.nullish(),
  componentId: BodyId.nullish(),
  name: z.string().nullish(),
  permissions: z.array(z.string()).nullish(),
});

/** A group that a client sends, with the field names of both lines. */
export const GroupInput = z
  .object({
    enhanceId: BodyId.nullish(),
    groupId: BodyId.nullish(),
    name: z.string().nullish(),
    role: z.string().nullish().meta({ description: 'What older clients send instead of `name`.' }),
    description: z.string().nullish(),
    components: z.array(GrantBody).max(100).nullish(),
  })
  .meta({ id: 'UserGroupInput' });

export const NewGroupInput = requiring(GroupInput, 'name').meta({ id: 'NewUserGroup' });

export const GroupComponentsInput = requiring(GroupInput, 'components').meta({
  id: 'UserGroupComponents',
});

export function groupChange({
  name,
  role,
  description,
  components,
}: z.output<typeof GroupInput>): GroupChange {
  return {
    name: name ?? role ?? undefined,
    description,
    components: components?.map((grant) => ({
      componentId: grant.enhanceId ?? grant.componentId ?? undefined,
      name: grant.name ?? undefined,
      permissions: grant.permissions ?? [],
    })),
  };
}

export const groupIdIn = ({
  enhanceId,
  groupId,
}: z.output<typeof GroupInput>): number | undefined => enhanceId ?? groupId ?? undefined;

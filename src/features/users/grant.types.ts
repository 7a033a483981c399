import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { ACTIONS, COMPONENTS } from '../../platform/access/catalogue';
import type { Action, ComponentName, HeldGrant } from '../../platform/access/catalogue';

/** Descriptions of the components that clients display. */
const CONTENTS: Readonly<Record<ComponentName, string>> = {
  CONNECTION: 'Workflows and their runs.',
  CONNECTOR: 'Connectors.',
  SCHEDULE: 'Schedules.',
  USER: 'Users and their sessions.',
  USERGROUP: 'Groups of users, components and permissions.',
  MYPROFILE: "One's own profile, password, picture and sessions.",
  DASHBOARD: 'The dashboard.',
  APP: 'Apps.',
  INVOKER: 'Invokers.',
  SECRET: 'Named secrets.',
};

const DOES: Readonly<Record<Action, string>> = {
  CREATE: 'Add.',
  UPDATE: 'Change; of workflows also run.',
  DELETE: 'Delete.',
  READ: 'Look at.',
};

const ComponentNameEnum = Object.fromEntries(COMPONENTS.map(({ name }) => [name, name])) as {
  readonly [C in ComponentName]: C;
};
registerEnumType(ComponentNameEnum, {
  name: 'ComponentName',
  description: 'A guarded part of the service.',
  valuesConfig: Object.fromEntries(
    Object.entries(CONTENTS).map(([name, description]) => [name, { description }]),
  ),
});

const GrantActionEnum = Object.fromEntries(ACTIONS.map((action) => [action, action])) as {
  readonly [A in Action]: A;
};
registerEnumType(GrantActionEnum, {
  name: 'GrantAction',
  description: 'What may be done with a guarded part of the service.',
  valuesConfig: Object.fromEntries(
    Object.entries(DOES).map(([action, description]) => [action, { description }]),
  ),
});

@ObjectType('Grant', {
  description: 'One right. `component: USER, action: CREATE` is what `@needs` calls `USER:CREATE`.',
})
export class GrantType implements HeldGrant {
  @Field(() => ComponentNameEnum, { description: 'With what.' })
  readonly component!: ComponentName;

  @Field(() => GrantActionEnum, { description: 'What may be done.' })
  readonly action!: Action;
}

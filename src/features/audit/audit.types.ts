import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enums';
import {
  exactEnumFilter,
  ExactIdFilter,
  ExactStringFilter,
  PeriodFilter,
} from '../../platform/graphql/filters';
import { ConnectionOf } from '../../platform/graphql/connection';
import { Node } from '../../platform/graphql/node';
import { DateTime, JSONValue } from '../../platform/graphql/scalars';
import { AUDIT_ACTIONS, AUDIT_TARGET_TYPES } from './audit.actions';
import type {
  AuditAction as AuditActionName,
  AuditTargetType as AuditTargetTypeName,
} from './audit.actions';

export const AuditAction = enumOf(AUDIT_ACTIONS, 'AuditAction', 'What is recorded in the audit.');
export const AuditTargetType = enumOf(
  AUDIT_TARGET_TYPES,
  'AuditTargetType',
  'The kinds of things that changes are recorded of.',
);
const ExactAuditActionFilter = exactEnumFilter(AuditAction, 'AuditAction');
const ExactAuditTargetTypeFilter = exactEnumFilter(AuditTargetType, 'AuditTargetType');

@ObjectType({ description: 'Who made a change.' })
export class AuditActor {
  @Field(() => Int, {
    description:
      'Integer id of the user; 0 is the service itself, a command of the operator, or nobody who was signed in.',
  })
  readonly userId!: number;

  @Field(() => String, {
    description:
      'His e-mail address at the time; for 0 `system`, `anonymous`, or `hypha (…)` with the name of the system user.',
  })
  readonly email!: string;
}

@ObjectType({ description: 'What a change was made to.' })
export class AuditTarget {
  @Field(() => AuditTargetType, { description: 'The kind of thing.' })
  readonly type!: AuditTargetTypeName;

  @Field(() => String, {
    name: 'targetId',
    description:
      'Its integer id, or the id of a session; `unknown` for a refused login that names no user. No global id.',
  })
  readonly id!: string;
}

@ObjectType('AuditEvent', {
  implements: Node,
  description:
    'One change: who did what to what. Written in the transaction of the change; secrets are masked.',
})
export class AuditEventType {
  readonly _id!: number;

  @Field(() => DateTime, { description: 'When it was recorded, with the change itself.' })
  readonly at!: Date;

  @Field(() => AuditActor, { description: 'Who made the change, as he was known then.' })
  readonly actor!: AuditActor;

  @Field(() => AuditAction, { description: 'What was done, noun first.' })
  readonly action!: AuditActionName;

  @Field(() => AuditTarget, { description: 'What it was done to.' })
  readonly target!: AuditTarget;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'What it looked like before; null for a creation.',
  })
  readonly before!: object | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'What it looks like after; null for a deletion.',
  })
  readonly after!: object | null;

  @Field(() => String, {
    description:
      'The request that made the change; the log lines of the request carry the same id.',
  })
  readonly requestId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the client called that request in its own `X-Request-Id`.',
  })
  readonly clientRequestId!: string | null;
}

export const AuditEventConnection = ConnectionOf(AuditEventType, 'AuditEventConnection');

@InputType({
  description:
    "Which changes; all that are given must hold: a time, and beside it one other field, or the target's type and id, or the actor and the action.",
})
export class AuditEventFilter {
  @Field(() => PeriodFilter, { nullable: true, description: 'Recorded in this time.' })
  readonly at?: PeriodFilter;

  @Field(() => ExactIdFilter, { nullable: true, description: 'Made by this user.' })
  readonly actorId?: ExactIdFilter;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description: 'Made by the user with this e-mail address at the time.',
  })
  readonly actorEmail?: ExactStringFilter;

  @Field(() => ExactAuditActionFilter, { nullable: true, description: 'What was done.' })
  readonly action?: InstanceType<typeof ExactAuditActionFilter>;

  @Field(() => ExactAuditTargetTypeFilter, {
    nullable: true,
    description: 'Kind of the thing changed.',
  })
  readonly targetType?: InstanceType<typeof ExactAuditTargetTypeFilter>;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description: 'Id of the thing changed, as `target.targetId` shows it; with its type.',
  })
  readonly targetId?: ExactStringFilter;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description: 'The request that made the change.',
  })
  readonly requestId?: ExactStringFilter;
}

import { Field, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/schema/enums';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import {
  exactEnumFilter,
  ExactIdFilter,
  ExactStringFilter,
  PeriodFilter,
} from '../../platform/graphql/schema/filters';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime, JSONValue } from '../../platform/graphql/schema/scalars';
import { AUDIT_ACTIONS, AUDIT_TARGET_TYPES } from './audit.actions';
import type {
  AuditAction as AuditActionName,
  AuditTargetType as AuditTargetTypeName,
} from './audit.actions';

export const AuditAction = enumOf(AUDIT_ACTIONS, 'AuditAction', 'Recorded actions.');
export const AuditTargetType = enumOf(
  AUDIT_TARGET_TYPES,
  'AuditTargetType',
  'Types of records whose changes are recorded.',
);
const ExactAuditActionFilter = exactEnumFilter(AuditAction, 'AuditAction');
const ExactAuditTargetTypeFilter = exactEnumFilter(AuditTargetType, 'AuditTargetType');

@ObjectType({ description: 'The author of a change.' })
export class AuditActor {
  @Field(() => Int, {
    description:
      'Integer id of the user; 0 for the service itself, an operator command, or an unauthenticated client.',
  })
  readonly userId!: number;

  @Field(() => String, {
    description:
      'E-mail at the time of the change; for 0 `system`, `anonymous`, or `hypha (…)` with the name of the system user.',
  })
  readonly email!: string;
}

@ObjectType({ description: 'The changed record.' })
export class AuditTarget {
  @Field(() => AuditTargetType, { description: 'Type of the record.' })
  readonly type!: AuditTargetTypeName;

  @Field(() => String, {
    name: 'targetId',
    description:
      'Integer id, or the id of a session; `unknown` for a failed login of an unknown user. Not a global id.',
  })
  readonly id!: string;
}

@ObjectType('AuditEvent', {
  implements: Node,
  description: 'A recorded change. Written in the transaction of the change; secrets are masked.',
})
export class AuditEventType {
  readonly _id!: number;

  @Field(() => DateTime, { description: 'When the change was made.' })
  readonly at!: Date;

  @Field(() => AuditActor, { description: 'The author at the time of the change.' })
  readonly actor!: AuditActor;

  @Field(() => AuditAction, { description: 'The action.' })
  readonly action!: AuditActionName;

  @Field(() => AuditTarget, { description: 'The changed record.' })
  readonly target!: AuditTarget;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The record before the change; null for a creation.',
  })
  readonly before!: object | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The record after the change; null for a deletion.',
  })
  readonly after!: object | null;

  @Field(() => String, {
    description:
      'Id of the request that made the change; log lines of the request have the same id.',
  })
  readonly requestId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the request from the `X-Request-Id` header of the client.',
  })
  readonly clientRequestId!: string | null;
}

export const AuditEventConnection = ConnectionOf(AuditEventType, 'AuditEventConnection');

export const AuditEventFilter = inputType(
  'AuditEventFilter',
  "Filters changes; all given conditions must hold. Allowed: a time, and in addition one other field, or the target's type and id, or the actor and the action.",
  {
    at: [optional(PeriodFilter), 'Period.'],
    actorId: [optional(ExactIdFilter), 'User who made the change.'],
    actorEmail: [optional(ExactStringFilter), 'E-mail of the user at the time of the change.'],
    action: [optional(ExactAuditActionFilter), 'The action.'],
    targetType: [optional(ExactAuditTargetTypeFilter), 'Type of the changed record.'],
    targetId: [
      optional(ExactStringFilter),
      'Id of the changed record, as in `target.targetId`; requires `targetType`.',
    ],
    requestId: [optional(ExactStringFilter), 'Id of the request that made the change.'],
  },
);
export type AuditEventFilter = InstanceType<typeof AuditEventFilter>;

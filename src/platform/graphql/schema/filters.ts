import { Field, ID, InputType } from 'type-graphql';
import { DateTime } from './scalars';

/*
 * Filters of single fields. A feature's own filter has a field for each, and refers to itself for
 * `and`, `or` and `not`:
 *
 *   @InputType({ description: 'Which users.' })
 *   class UserFilter {
 *     @Field(() => StringFilter, { nullable: true, description: '…' }) email?: StringFilter;
 *     @Field(() => [UserFilter], { nullable: true, description: ALL_OF }) and?: UserFilter[];
 *     @Field(() => [UserFilter], { nullable: true, description: ANY_OF }) or?: UserFilter[];
 *     @Field(() => UserFilter, { nullable: true, description: NONE_OF }) not?: object;
 *   }
 *
 * and `toQuery(filter, { email: 'email' })` of platform/store/lists/filter.ts makes the query.
 */
export const ALL_OF =
  'All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500.';
export const ANY_OF =
  'One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500.';
export const NONE_OF =
  'This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500.';

const EQUAL = 'Equal to this.';
const AMONG = 'One of these, 100 at most.';
const NULL = 'True: has no value. False: has one.';

@InputType({ description: 'Conditions on a text; all that are given must hold.' })
export class StringFilter {
  @Field(() => String, { nullable: true, description: EQUAL })
  readonly eq?: string;

  @Field(() => [String], { nullable: true, description: AMONG })
  readonly in?: string[];

  @Field(() => String, {
    nullable: true,
    description:
      'Has this text in it, without regard to case. In lists of more than 10,000 entries: only together with a condition that leaves 500.',
  })
  readonly contains?: string;

  @Field(() => Boolean, { nullable: true, description: NULL })
  readonly isNull?: boolean;
}

@InputType({
  description:
    'Conditions on a name, compared without regard to case, compatibility forms and what cannot be seen; all that are given must hold.',
})
export class NameFilter {
  @Field(() => String, { nullable: true, description: EQUAL })
  readonly eq?: string;

  @Field(() => [String], { nullable: true, description: AMONG })
  readonly in?: string[];

  @Field(() => String, { nullable: true, description: 'Begins with this.' })
  readonly startsWith?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Has this text in it. In lists of more than 10,000 entries: only together with a condition that leaves 500; use `startsWith`.',
  })
  readonly contains?: string;

  @Field(() => Boolean, { nullable: true, description: NULL })
  readonly isNull?: boolean;
}

@InputType({ description: 'Conditions on a yes or no.' })
export class BooleanFilter {
  @Field(() => Boolean, { nullable: true, description: EQUAL })
  readonly eq?: boolean;

  @Field(() => Boolean, { nullable: true, description: NULL })
  readonly isNull?: boolean;
}

@InputType({ description: 'Conditions on a moment; all that are given must hold.' })
export class DateTimeFilter {
  @Field(() => DateTime, { nullable: true, description: EQUAL })
  readonly eq?: Date;

  @Field(() => DateTime, { nullable: true, description: 'This or later.' })
  readonly gte?: Date;

  @Field(() => DateTime, { nullable: true, description: 'This or earlier.' })
  readonly lte?: Date;

  @Field(() => Boolean, { nullable: true, description: NULL })
  readonly isNull?: boolean;
}

@InputType({ description: 'Conditions on an id: global ids or the integers of the REST API.' })
export class IdFilter {
  @Field(() => ID, { nullable: true, description: EQUAL })
  readonly eq?: string;

  @Field(() => [ID], { nullable: true, description: AMONG })
  readonly in?: string[];

  @Field(() => Boolean, { nullable: true, description: NULL })
  readonly isNull?: boolean;
}

// The exact filters are for lists without an upper limit: an index can answer all of them.

@InputType({ description: 'Exactly one text; letters count as they are.' })
export class ExactStringFilter {
  @Field(() => String, { description: EQUAL })
  readonly eq!: string;
}

@InputType({ description: 'Exactly one id: global id or the integer of the REST API.' })
export class ExactIdFilter {
  @Field(() => ID, { description: EQUAL })
  readonly eq!: string;
}

interface ExactEnumFilter<T> {
  readonly eq: T;
}

/**
 * Creates the exact filter of a registered enum: `exactEnumFilter(AuditAction, 'AuditAction')` is
 * `ExactAuditActionFilter`. Called once per enum.
 */
export function exactEnumFilter<E extends object>(
  values: E,
  name: string,
): new () => ExactEnumFilter<E[keyof E]> {
  @InputType(`Exact${name}Filter`, { description: `Exactly one value of ${name}.` })
  class OfEnum implements ExactEnumFilter<E[keyof E]> {
    @Field(() => values, { description: EQUAL })
    readonly eq!: E[keyof E];
  }
  return OfEnum;
}

@InputType({ description: 'A time from one moment to another.' })
export class PeriodFilter {
  @Field(() => DateTime, { nullable: true, description: 'This or later.' })
  readonly gte?: Date;

  @Field(() => DateTime, { nullable: true, description: 'This or earlier.' })
  readonly lte?: Date;
}

interface EnumFilter<T> {
  readonly eq?: T;
  readonly in?: T[];
  readonly isNull?: boolean;
}

/**
 * Creates the filter of a registered enum: `enumFilter(RunState, 'RunState')` is `RunStateFilter`.
 * Called once per enum.
 */
export function enumFilter<E extends object>(
  values: E,
  name: string,
): new () => EnumFilter<E[keyof E]> {
  @InputType(`${name}Filter`, {
    description: `Conditions on a ${name}; all that are given must hold.`,
  })
  class OfEnum implements EnumFilter<E[keyof E]> {
    @Field(() => values, { nullable: true, description: EQUAL })
    readonly eq?: E[keyof E];

    @Field(() => [values], { nullable: true, description: AMONG })
    readonly in?: E[keyof E][];

    @Field(() => Boolean, { nullable: true, description: NULL })
    readonly isNull?: boolean;
  }
  return OfEnum;
}

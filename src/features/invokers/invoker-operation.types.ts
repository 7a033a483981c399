import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/schema/enums';
import { JSONValue } from '../../platform/graphql/schema/scalars';
import type { FieldValue, Visibility } from './invoker';

export const VisibilityEnum = enumOf<Visibility>(
  {
    public: 'Visible to all users who may read the connector.',
    protected: 'Entered by a user, then hidden.',
    private: 'Computed, not entered, and hidden.',
  },
  'InvokerFieldVisibility',
  'The visibility of a value of a connector.',
);

@ObjectType('InvokerRequiredField', {
  description: 'A value that a connector of the invoker needs.',
})
export class InvokerRequiredFieldType {
  @Field(() => String, {
    description: 'Its name: `{url}` in an endpoint stands for the field `url`.',
  })
  readonly name!: string;

  @Field(() => String, { description: 'Its type; informational.' })
  readonly type!: string;

  @Field(() => VisibilityEnum, { description: 'The visibility of the value.' })
  readonly visibility!: Visibility;

  @Field(() => String, {
    description:
      'The default or, for a computed field, the expression; often empty. Of fields that are not public, users who may not change the invoker see only references.',
  })
  readonly value!: string;
}

@ObjectType('InvokerHeader', { description: 'A header of a request or a response.' })
class InvokerHeaderType {
  @Field(() => String, { description: 'Its name.' })
  readonly name!: string;

  @Field(() => String, {
    description:
      'Its value; `{field}` stands for a value of the connector, `***` for a secret that the signed-in user may not see.',
  })
  readonly value!: string;
}

@ObjectType('InvokerBody', { description: 'The body of a request or a response.' })
class InvokerBodyType {
  @Field(() => String, { description: '`object`, `array` or `string`.' })
  readonly type!: string;

  @Field(() => String, {
    description: 'Its format: `json`, `xml`, `text`, `x-www-form-urlencoded`.',
  })
  readonly format!: string;

  @Field(() => String, { description: 'Its content: `raw`, `graphql`, `form-data`.' })
  readonly data!: string;

  @Field(() => JSONValue, {
    name: 'fields',
    description: 'Its fields by name: objects, lists, texts and null.',
  })
  readonly value!: { readonly [name: string]: FieldValue };
}

@ObjectType('InvokerRequest', { description: 'The request to the remote system.' })
class InvokerRequestType {
  @Field(() => String, {
    description: 'The HTTP method. A text, because some systems have their own methods.',
  })
  readonly method!: string;

  @Field(() => String, {
    description:
      'The URL: `{field}` stands for a value of the connector, `@{name}` for a pagination parameter.',
  })
  readonly endpoint!: string;

  @Field(() => [InvokerHeaderType], { description: 'Its headers.' })
  readonly header!: readonly InvokerHeaderType[];

  @Field(() => InvokerBodyType, { nullable: true, description: 'Its body; null if there is none.' })
  readonly body!: InvokerBodyType | null;
}

@ObjectType('InvokerResult', { description: 'An expected response of the remote system.' })
class InvokerResultType {
  @Field(() => String, { description: 'The status, as text.' })
  readonly status!: string;

  @Field(() => [InvokerHeaderType], { description: 'The declared headers.' })
  readonly header!: readonly InvokerHeaderType[];

  @Field(() => InvokerBodyType, {
    nullable: true,
    description: 'Its body; null if none is declared.',
  })
  readonly body!: InvokerBodyType | null;
}

@ObjectType('InvokerPaginationParameter', {
  description: 'A value that is carried from page to page.',
})
export class InvokerPaginationParameterType {
  @Field(() => String, {
    description:
      '`result`, `size`, `limit`, `offset`, `page`, `cursor`, `link`, `has_more` and others.',
  })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: '`read`, `write`, `increment`, `collect` or `fetch`.',
  })
  readonly action!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where it is read or written: `response.body.$.items`.',
  })
  readonly ref!: string | null;

  @Field(() => String, { description: 'Its initial value; often empty.' })
  readonly value!: string;
}

@ObjectType('InvokerOperation', { description: 'A call of the remote system.' })
export class InvokerOperationType {
  @Field(() => String, {
    description:
      'Its name, which steps of workflows refer to. Of several with the same name the first is used.',
  })
  readonly name!: string;

  @Field(() => String, {
    description:
      '`test` (the check of a connector calls it), `auth`, `page` (its pages are read one after the other), or empty.',
  })
  readonly type!: string;

  @Field(() => InvokerRequestType, { description: 'The request.' })
  readonly request!: InvokerRequestType;

  @Field(() => InvokerResultType, {
    nullable: true,
    description: 'The response in case of success; null if none is declared.',
  })
  readonly success!: InvokerResultType | null;

  @Field(() => InvokerResultType, {
    nullable: true,
    description: 'The first of `fails`; null if none is declared.',
  })
  readonly fail!: InvokerResultType | null;

  @Field(() => [InvokerResultType], {
    description: 'The responses in case of failure, each with a different status.',
  })
  readonly fails!: readonly InvokerResultType[];

  @Field(() => [InvokerPaginationParameterType], {
    description:
      'How its pages follow each other. If empty, the pagination of the invoker applies.',
  })
  readonly pagination!: readonly InvokerPaginationParameterType[];
}

import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/enums';
import { JSONValue } from '../../platform/graphql/scalars';
import type { FieldValue, Visibility } from './invoker';

export const VisibilityEnum = enumOf<Visibility>(
  {
    public: 'Everybody who may read the connector sees it.',
    protected: 'Somebody is asked for it, and nobody is shown it again.',
    private: 'It is computed; nobody is asked for it.',
  },
  'InvokerFieldVisibility',
  'Who sees a value that a connector knows.',
);

@ObjectType('InvokerRequiredField', {
  description: 'One thing that a connector of the invoker has to know.',
})
export class InvokerRequiredFieldType {
  @Field(() => String, {
    description: 'Its name: `{url}` in an endpoint stands for the field `url`.',
  })
  readonly name!: string;

  @Field(() => String, { description: 'Its type, for people.' })
  readonly type!: string;

  @Field(() => VisibilityEnum, { description: 'Who sees the value.' })
  readonly visibility!: Visibility;

  @Field(() => String, {
    description:
      'Its default or, where it is computed, the expression; often empty. Of what is not public, who may not change the invoker sees references only.',
  })
  readonly value!: string;
}

@ObjectType('InvokerHeader', { description: 'A header of a request or an answer.' })
export class InvokerHeaderType {
  @Field(() => String, { description: 'Its name.' })
  readonly name!: string;

  @Field(() => String, {
    description:
      'Its value; `{field}` stands for what the connector knows, `***` for a secret that is not for the signed-in user to see.',
  })
  readonly value!: string;
}

@ObjectType('InvokerBody', { description: 'The body of a request or an answer.' })
export class InvokerBodyType {
  @Field(() => String, { description: '`object`, `array` or `string`.' })
  readonly type!: string;

  @Field(() => String, {
    description: 'What it is written as: `json`, `xml`, `text`, `x-www-form-urlencoded`.',
  })
  readonly format!: string;

  @Field(() => String, { description: 'What is in it: `raw`, `graphql`, `form-data`.' })
  readonly data!: string;

  @Field(() => JSONValue, {
    name: 'fields',
    description: 'Its fields by name: objects, lists, texts and null.',
  })
  readonly value!: { readonly [name: string]: FieldValue };
}

@ObjectType('InvokerRequest', { description: 'What is sent to the remote system.' })
export class InvokerRequestType {
  @Field(() => String, { description: 'The verb. A text: some systems have verbs of their own.' })
  readonly method!: string;

  @Field(() => String, {
    description:
      'The address: `{field}` stands for what the connector knows, `@{name}` for what pagination carries.',
  })
  readonly endpoint!: string;

  @Field(() => [InvokerHeaderType], { description: 'Its headers.' })
  readonly header!: readonly InvokerHeaderType[];

  @Field(() => InvokerBodyType, { nullable: true, description: 'Its body; null for none.' })
  readonly body!: InvokerBodyType | null;
}

@ObjectType('InvokerResult', { description: 'What the remote system answers in one case.' })
export class InvokerResultType {
  @Field(() => String, { description: 'The status, as text.' })
  readonly status!: string;

  @Field(() => [InvokerHeaderType], { description: 'Its headers, as far as they matter.' })
  readonly header!: readonly InvokerHeaderType[];

  @Field(() => InvokerBodyType, {
    nullable: true,
    description: 'Its body; null where nothing is said of it.',
  })
  readonly body!: InvokerBodyType | null;
}

@ObjectType('InvokerPaginationParameter', {
  description: 'A value that is carried from page to page.',
})
export class InvokerPaginationParameterType {
  @Field(() => String, {
    description:
      'What it is: `result`, `size`, `limit`, `offset`, `page`, `cursor`, `link`, `has_more` and others.',
  })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What is done with it: `read`, `write`, `increment`, `collect`, `fetch`.',
  })
  readonly action!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where it is read or written: `response.body.$.items`.',
  })
  readonly ref!: string | null;

  @Field(() => String, { description: 'What it is at first; often empty.' })
  readonly value!: string;
}

@ObjectType('InvokerOperation', { description: 'A call of the remote system.' })
export class InvokerOperationType {
  @Field(() => String, {
    description:
      'Its name. A step of a workflow names it; of several with one name the first is meant.',
  })
  readonly name!: string;

  @Field(() => String, {
    description:
      '`test` (the check of a connector calls it), `auth`, `page` (its pages are read one after the other), or empty.',
  })
  readonly type!: string;

  @Field(() => InvokerRequestType, { description: 'What is sent.' })
  readonly request!: InvokerRequestType;

  @Field(() => InvokerResultType, {
    nullable: true,
    description: 'What comes back when it went well; null where nothing is said of it.',
  })
  readonly success!: InvokerResultType | null;

  @Field(() => InvokerResultType, {
    nullable: true,
    description:
      'What comes back when it did not: the first of `fails`; null where nothing is said of it.',
  })
  readonly fail!: InvokerResultType | null;

  @Field(() => [InvokerResultType], {
    description: 'All that comes back when it did not, each of another status.',
  })
  readonly fails!: readonly InvokerResultType[];

  @Field(() => [InvokerPaginationParameterType], {
    description: 'How its pages follow each other. Empty: as the invoker says for all.',
  })
  readonly pagination!: readonly InvokerPaginationParameterType[];
}

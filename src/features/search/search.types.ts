import { Field, ObjectType, registerEnumType } from 'type-graphql';

export const SearchType = {
  WORKFLOW: 'Workflow',
  CONNECTOR: 'Connector',
  INVOKER: 'Invoker',
  TEMPLATE: 'Template',
  SECRET: 'Secret',
  CATEGORY: 'Category',
  AGGREGATOR: 'Aggregator',
  SCHEDULE: 'Schedule',
} as const;
export type SearchType = (typeof SearchType)[keyof typeof SearchType];
registerEnumType(SearchType, {
  name: 'SearchType',
  description: 'What is searched by its title.',
  valuesConfig: {
    WORKFLOW: { description: 'Workflows, without those of test runs.' },
    CONNECTOR: { description: 'Connectors.' },
    INVOKER: { description: 'Invokers, by their names.' },
    TEMPLATE: { description: 'Templates, by their names.' },
    SECRET: { description: 'Named secrets, by their names.' },
    CATEGORY: { description: 'Categories, by their names.' },
    AGGREGATOR: { description: 'Data aggregators, by their names.' },
    SCHEDULE: { description: 'Schedules.' },
  },
});

@ObjectType({ description: 'Something that is called so.' })
export class SearchHit {
  readonly id!: number;

  @Field(() => SearchType, { description: 'What it is.' })
  readonly type!: SearchType;

  @Field(() => String, { description: 'What it is called.' })
  readonly title!: string;
}

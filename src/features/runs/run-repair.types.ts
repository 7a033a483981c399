import { Field, ID, InputType } from 'type-graphql';
import { RunFilter } from './run.types';

@InputType({ description: 'A run to run again.' })
export class RunRetryInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

@InputType({ description: 'Runs to run again.' })
export class RunsRetryInput {
  @Field(() => RunFilter, {
    description:
      'Which runs: of those it finds, what FAILED or was INTERRUPTED. It needs a condition.',
  })
  readonly filter!: RunFilter;
}

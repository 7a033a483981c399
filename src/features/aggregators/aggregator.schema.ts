import { z } from 'zod';
import { AnswerId, BodyId, requiring } from '../../platform/http/scalars';
import { AGGREGATOR_LENGTHS } from './aggregator.rules';
import type { AggregatorChange } from './aggregator.rules';

/** The shape of the released lines. */
export const AggregatorBody = z
  .object({
    id: AnswerId,
    name: z.string(),
    args: z
      .array(z.object({ id: AnswerId, name: z.string(), description: z.string() }))
      .meta({ description: 'The variables whose values runs keep; texts name them by their ids.' }),
    script: z.string(),
    active: z.boolean().meta({ description: 'False: archived, and not evaluated.' }),
  })
  .meta({
    id: 'Aggregator',
    description:
      'A script over what the calls of a method sent and were answered, evaluated at the end of a run.',
  });

const AggregatorInput = z
  .object({
    id: BodyId.nullish().meta({ description: 'Of one that is there. 0 or left out: a new one.' }),
    name: z.string().nullish().meta({
      minLength: 1,
      maxLength: AGGREGATOR_LENGTHS.name,
      description: 'Unique without regard to case.',
    }),
    args: z
      .array(
        z.object({
          id: BodyId.nullish().meta({
            description: 'Of an argument that is there. 0 or left out: a new one.',
          }),
          name: z.string().nullish().meta({ description: 'The name of a variable.' }),
          description: z.string().nullish(),
        }),
      )
      .nullish()
      .meta({ description: 'All of them from now on. Left out: those that are there.' }),
    script: z.string().nullish().meta({
      description: 'JavaScript. `Requests` and `Responses` are lists of `{status, header, body}`.',
    }),
    active: z.boolean().nullish().meta({ description: 'Left out: as it is; a new one is active.' }),
  })
  .meta({ id: 'AggregatorInput' });

/** May create an aggregator, so the name is required. */
export const SavedAggregatorInput = requiring(AggregatorInput, 'name').meta({
  id: 'SavedAggregator',
});

/** Changes an existing aggregator, so the id is required. */
export const ChangedAggregatorInput = requiring(AggregatorInput, 'id').meta({
  id: 'ChangedAggregator',
});

export const AggregatorStatusInput = z
  .object({ active: z.boolean() })
  .meta({ id: 'AggregatorStatus' });

export const AggregatorStatusBody = z
  .object({ result: z.literal('success') })
  .meta({ id: 'AggregatorStatusChanged' });

/** Converts a request body to a change. */
export const aggregatorChange = ({
  name,
  args,
  script,
  active,
}: z.output<typeof AggregatorInput>): AggregatorChange => ({
  name: name ?? undefined,
  args: args ?? undefined,
  script: script ?? undefined,
  active: active ?? undefined,
});

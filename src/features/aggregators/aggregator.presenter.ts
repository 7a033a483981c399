import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, BodyId, requiring } from '../../platform/http/scalars';
import type { AggregatorRecord } from './aggregator.model';
import { AGGREGATOR_LENGTHS } from './aggregator.rules';
import type { AggregatorChange } from './aggregator.rules';

/** The shape of the released lines. */
const AggregatorBody = z
  .object({
    id: AnswerId,
    name: z.string(),
    args: z.array(z.object({ id: AnswerId, name: z.string(), description: z.string() })).meta({
      description:
        'The variables whose values are stored with runs. References in texts use their ids.',
    }),
    script: z.string(),
    active: z.boolean().meta({ description: 'False: archived, and not evaluated.' }),
  })
  .meta({
    id: 'Aggregator',
    description:
      'A script that processes the requests and responses of a method at the end of a run.',
  });

interface AggregatorPresenters {
  readonly one: Presenter<[AggregatorRecord]>;
  readonly list: Presenter<[AsyncIterable<AggregatorRecord>]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly aggregators: AggregatorPresenters;
  }
}

const present = ({
  _id,
  name,
  args,
  script,
  active,
}: AggregatorRecord): z.output<typeof AggregatorBody> => ({
  id: _id,
  name,
  args: args.map(({ id, name: argument, description }) => ({
    id,
    name: argument,
    description: description ?? '',
  })),
  script,
  active,
});

/** Streams a list. */
async function* presentEach(
  aggregators: AsyncIterable<AggregatorRecord>,
): AsyncGenerator<z.output<typeof AggregatorBody>, void, void> {
  for await (const aggregator of aggregators) yield present(aggregator);
}

export const documentedAggregators: AggregatorPresenters = {
  one: presenter(AggregatorBody, present),
  list: presenter(z.array(AggregatorBody), presentEach),
};

const AggregatorInput = z
  .object({
    id: BodyId.nullish().meta({
      description: 'Id of an existing aggregator. 0 or omitted: creates one.',
    }),
    name: z.string().nullish().meta({
      minLength: 1,
      maxLength: AGGREGATOR_LENGTHS.name,
      description: 'Unique without regard to case.',
    }),
    args: z
      .array(
        z.object({
          id: BodyId.nullish().meta({
            description: 'Id of an existing argument. 0 or omitted: creates one.',
          }),
          name: z.string().nullish().meta({ description: 'Name of the variable.' }),
          description: z.string().nullish(),
        }),
      )
      .nullish()
      .meta({ description: 'Replaces all arguments. Omitted: unchanged.' }),
    script: z.string().nullish().meta({
      description: 'JavaScript. `Requests` and `Responses` are lists of `{status, header, body}`.',
    }),
    active: z
      .boolean()
      .nullish()
      .meta({ description: 'Omitted: unchanged; a new aggregator is active.' }),
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

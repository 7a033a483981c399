import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { AggregatorRecord } from './aggregator.model';
import { AggregatorBody } from './aggregator.schema';

export interface AggregatorPresenters {
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

import { NotFound } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { fold } from '../../platform/text/fold';
import type { JsonObject } from '../workflows/workflow-document.service';
import type { KnownConnectors } from '../workflows/workflow.ports';
import { withChosen } from './body/choose-connectors';
import type { Chosen } from './body/choose-connectors';
import type { TemplateRecord } from './template.model';
import type { TemplateReads } from './template-reads';

/** Templates for two connectors, for clients of the 4.x line. */
export function createTemplatesByConnectors({
  connectors,
  reads,
}: {
  connectors: Pick<KnownConnectors, 'facts'>;
  reads: TemplateReads;
}) {
  return {
    /**
     * The templates whose invokers are those of the two connectors, with these filled in. If both
     * have the same invoker, the first slot gets the first connector.
     * @throws NotFound CONNECTOR_NOT_FOUND
     */
    async fitting(
      fromId: number,
      toId: number,
    ): Promise<AsyncGenerator<{ record: TemplateRecord; body: JsonObject }, void, void>> {
      const known = await connectors.facts([fromId, toId]);
      const found = new Findings();
      for (const [id, name] of [
        [fromId, 'fromConnectorId'],
        [toId, 'toConnectorId'],
      ] as const) {
        if (!known.has(id))
          found.add(
            new NotFound('CONNECTOR_NOT_FOUND', `There is no connector ${id}.`, { path: [name] }),
          );
      }
      found.refuse();
      const [from, to] = [
        { id: fromId, ...known.get(fromId)! },
        { id: toId, ...known.get(toId)! },
      ];
      return put(from, to);
    },
  };

  async function* put(
    ...two: [Facts, Facts]
  ): AsyncGenerator<{ record: TemplateRecord; body: JsonObject }, void, void> {
    for await (const { record, body } of reads.all(
      { metadataOnly: false },
      (one) => chosenOf(one, two) !== null,
    )) {
      const chosen = chosenOf(record, two);
      if (body && chosen) yield { record, body: await withChosen(body, record.connectors, chosen) };
    }
  }
}

type Facts = { readonly id: number; readonly title: string; readonly invoker: string };

/** Assigns the two connectors to the slots; null if the template has other invokers. */
function chosenOf({ connectors }: TemplateRecord, [from, to]: [Facts, Facts]): Chosen | null {
  const wanted = connectors.map(({ invoker }) => (invoker === null ? null : fold(invoker)));
  const has = ({ invoker }: Facts): boolean => wanted.includes(fold(invoker));
  if (
    connectors.length > 2 ||
    connectors.length === 0 ||
    !has(from) ||
    !has(to) ||
    wanted.some((name) => name !== fold(from.invoker) && name !== fold(to.invoker))
  )
    return null;
  const isFirst = wanted[0] === fold(from.invoker);
  return new Map(connectors.map((_, at) => [at + 1, (at === 0) === isFirst ? from : to]));
}

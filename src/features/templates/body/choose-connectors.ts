import { NotFound, Refused } from '../../../platform/errors/errors';
import type { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/event-loop';
import type { Steps, Turn } from '../../../platform/event-loop';
import { fold } from '../../../platform/text/fold';
import { isJsonObject } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { ConnectorFacts, KnownConnectors } from '../../workflows/workflow.ports';
import type { ConnectorSlot } from './connector-slots';
import { slotOf, withConnectors } from './connector-slots';
import { closeCredentials } from './template-body';

export interface ConnectorChoice {
  /** Number of the slot, from 1. */
  readonly slot: number;
  readonly connectorId: number;
}

/** The chosen connectors, by slot number. */
export type Chosen = ReadonlyMap<number, ConnectorFacts & { readonly id: number }>;

const shown = ({ invoker, title }: ConnectorSlot): string =>
  invoker === null ? title : `${title} (invoker ${invoker})`;

/** Resolves the choices; reports each slot without a connector or with a wrong one. */
export async function chosenConnectors(
  slots: readonly ConnectorSlot[],
  choices: readonly ConnectorChoice[],
  connectors: Pick<KnownConnectors, 'facts'>,
  found: Findings,
): Promise<Chosen> {
  const known = await connectors.facts([...new Set(choices.map(({ connectorId }) => connectorId))]);
  const chosen = new Map<number, ConnectorFacts & { id: number }>();
  const named = new Set<number>();
  choices.forEach(({ slot: number, connectorId }, at) => {
    const slot = slots[number - 1];
    const facts = known.get(connectorId);
    if (!slot || named.has(number)) {
      const message = slot
        ? `A connector for ${number} was chosen already.`
        : `There is no place ${number} for a connector: there are ${slots.length}.`;
      found.add(
        new Refused('TEMPLATE_CONNECTOR_UNKNOWN', message, { path: ['connectors', at, 'slot'] }),
      );
    }
    if (slot) named.add(number);
    if (!facts)
      found.add(
        new NotFound('CONNECTOR_NOT_FOUND', `There is no connector ${connectorId}.`, {
          path: ['connectors', at, 'connectorId'],
        }),
      );
    else if (slot && slot.invoker !== null && fold(slot.invoker) !== fold(facts.invoker)) {
      found.add(
        new Refused(
          'TEMPLATE_CONNECTOR_MISFIT',
          `The connector ${facts.title} is one of ${facts.invoker}; ${shown(slot)} is wanted.`,
          { path: ['connectors', at, 'connectorId'] },
        ),
      );
    } else if (slot) chosen.set(number, { ...facts, id: connectorId });
  });
  slots.forEach((slot, at) => {
    if (!named.has(at + 1))
      found.add(
        new Refused(
          'TEMPLATE_CONNECTOR_MISSING',
          `No connector was chosen for ${at + 1}, ${shown(slot)}.`,
          { path: ['connectors'] },
        ),
      );
  });
  return chosen;
}

/** Fills the slots of a template body with the chosen connectors; other slots stay open. */
export async function withChosen(
  body: JsonObject,
  slots: readonly ConnectorSlot[],
  chosen: Chosen,
): Promise<JsonObject> {
  const ids = slots.map((_, at) => chosen.get(at + 1)?.id);
  const document = withConnectors(body, (connector) => {
    const facts = chosen.get(slotOf(slots, connector) + 1);
    return facts
      ? { connectorId: facts.id, title: facts.title, invoker: { name: facts.invoker } }
      : connector;
  });
  return (await inTurns((turn) =>
    withTexts(document, (text) => closeCredentials(text, ids), turn),
  )) as JsonObject;
}

/** Deep copy with every text rewritten. */
function* withTexts(value: unknown, rewrite: (text: string) => string, turn: Turn): Steps<unknown> {
  if (turn.over) yield;
  if (typeof value === 'string') return rewrite(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value) list.push(yield* withTexts(entry, rewrite, turn));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value))
    fields.push([name, yield* withTexts(field, rewrite, turn)]);
  return Object.fromEntries(fields);
}

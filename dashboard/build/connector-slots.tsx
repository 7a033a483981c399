import { useMemo } from 'preact/hooks';
import { FailureText } from '../parts/request-id';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { ConnectorOptionsDocument } from '../generated/operations';
import type { ConnectorFilter, ConnectorSlotFragment } from '../generated/operations';
import { Combobox } from '../parts/combobox';
import type { OptionSearch } from '../parts/combobox';
import type { Option } from '../parts/fields';
import { textOf } from '../parts/form';
import { href } from '../router';

const filterOf = (invoker: string | null, title = ''): ConnectorFilter => ({
  ...(invoker === null ? {} : { invokerName: { eq: invoker } }),
  ...(title === '' ? {} : { title: { contains: title } }),
});

const optionOf = ({ databaseId, title }: { databaseId: number; title: string }): Option => ({
  value: String(databaseId),
  text: title,
});

const nameOf = (slot: number): string => `connector.${slot}`;

/** Returns the chosen connectors; slots without a choice are omitted. */
export const chosenConnectors = (
  values: FormData,
  slots: readonly ConnectorSlotFragment[],
): { slot: number; connectorId: string }[] =>
  slots
    .map(({ slot }) => ({ slot, connectorId: textOf(values, nameOf(slot)) }))
    .filter(({ connectorId }) => connectorId !== '');

/** Chooses one of the connectors with the invoker of a slot. */
function SlotField({ slot: { slot, invoker, title } }: { slot: ConnectorSlotFragment }) {
  const { data, failure } = useQuery(ConnectorOptionsDocument, { filter: filterOf(invoker) });
  const search: OptionSearch = useMemo(
    () => async (text, signal) => {
      const { connectors } = await request(
        ConnectorOptionsDocument,
        { filter: filterOf(invoker, text) },
        signal,
      );
      return connectors.nodes.map(optionOf);
    },
    [invoker],
  );
  if (failure !== null)
    return (
      <p class="warn">
        <FailureText failure={failure} />
      </p>
    );
  if (data === null) return null;
  const { nodes } = data.connectors;
  const likely =
    nodes.find((each) => each.title === title) ?? (nodes.length === 1 ? nodes[0] : null);
  return (
    <div class="slot-field">
      <Combobox
        label={`${title === '' ? `Connector ${slot}` : title}${invoker === null ? '' : ` (${invoker})`}`}
        name={nameOf(slot)}
        value={likely ? optionOf(likely) : null}
        search={search}
        isRequired
      />
      <small class="quiet">
        {nodes.length === 0 ? 'There is no such connector yet. ' : null}
        <a href={href('connectors/new', { invoker })}>New connector</a>
      </small>
    </div>
  );
}

/** The connectors that a template or an exported workflow needs. */
export function ConnectorSlotFields({ slots }: { slots: readonly ConnectorSlotFragment[] }) {
  return (
    <>
      {slots.map((slot) => (
        <SlotField key={slot.slot} slot={slot} />
      ))}
    </>
  );
}

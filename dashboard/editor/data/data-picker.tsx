import { useState } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { hasPermission } from '../../current-user';
import { SecretNamesDocument } from '../../generated/operations';
import { Icon } from '../../parts/icon';
import { pathOf, referenceText, stepTitle } from '../fields/references';
import { callsBefore, loopsAround, useStepContext } from '../fields/step-context';
import { Popup, PopupSearch } from '../popup';
import { DataTree } from './data-tree';
import { bodyOf } from './samples';

const SOURCES = { TEST: 'last test', RUN: 'last run', PINNED: 'pinned', TYPED: 'typed' } as const;

/**
 * Lists the answers of the steps before this one; picking a value inserts a reference to it.
 * @param props.onPick gets the text of the reference
 */
export function DataPicker({
  onPick,
  onClose,
}: {
  onPick: (reference: string) => void;
  onClose: () => void;
}) {
  const { session, samples, node } = useStepContext();
  const [search, setSearch] = useState('');
  const loops = loopsAround(node, session);
  const calls = callsBefore(node, session.nodes.value);
  const pick = (color: string | null, path: readonly (string | number)[]): void => {
    if (color !== null) onPick(referenceText(color, pathOf(path, color, loops)));
  };
  return (
    <Popup label="Insert data" onClose={onClose}>
      <PopupSearch label="Find data" value={search} onInput={setSearch} onClose={onClose} />
      {calls.length === 0 ? <p class="quiet">No step before this one returns data.</p> : null}
      {calls.map((call) => {
        const sample = samples.byStep.value.get(call.id);
        const number = session.nodeOf(call.id)?.number;
        return (
          <section key={call.id}>
            <h3>
              <span class="quiet num">{number}</span>{' '}
              <button type="button" class="tree-value" onClick={() => pick(call.color, [])}>
                <bdi>{stepTitle(call)}</bdi>
              </button>{' '}
              {sample === undefined ? null : <small class="quiet">{SOURCES[sample.source]}</small>}
            </h3>
            {sample === undefined ? (
              <p class="quiet">
                No answer yet: test this step, or type a sample answer in its tab Answer.
              </p>
            ) : (
              <DataTree
                value={bodyOf(sample)}
                search={search}
                onPick={(path) => pick(call.color, path)}
              />
            )}
          </section>
        );
      })}
      {hasPermission.value('SECRET:READ') ? <SecretNames search={search} onPick={onPick} /> : null}
    </Popup>
  );
}

/** Named secrets, whose values are inserted when the request is sent. */
function SecretNames({ search, onPick }: { search: string; onPick: (text: string) => void }) {
  const { data } = useQuery(SecretNamesDocument, {});
  const names = (data?.secrets.nodes ?? [])
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()));
  if (names.length === 0) return null;
  return (
    <section>
      <h3>Secrets</h3>
      <ul class="data-tree">
        {names.map((name) => (
          <li key={name}>
            <button type="button" class="tree-value" onClick={() => onPick(`{%secret.${name}%}`)}>
              <Icon name="lock" size={12} /> <bdi>{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useRef, useState } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { EditorConnectorsDocument } from '../../generated/operations';
import { notifyFailure } from '../../parts/notices';
import { Icon } from '../../parts/icon';
import type { IconName } from '../../parts/icon';
import { setQuery } from '../../router';
import type { Place, StepChanges } from '../document';
import { Popup, PopupSearch } from '../popup';
import type { EditSession } from '../session';
import { pasteCopied } from './clipboard';

interface Choice {
  readonly key: string;
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  readonly changes: StepChanges;
}

const BASIC_CHOICES: readonly Choice[] = [
  {
    key: 'http',
    icon: 'globe',
    title: 'HTTP request',
    detail: 'Call any address',
    changes: {
      method: { methodType: 'HTTP_REQUEST', request: { httpMethod: 'GET', endpoint: '' } },
    },
  },
  {
    key: 'if',
    icon: 'branch',
    title: 'Condition',
    detail: 'Steps inside run only if it is true',
    changes: { operator: { type: 'IF', expression: '' } },
  },
  {
    key: 'loop',
    icon: 'loop',
    title: 'Loop',
    detail: 'Steps inside run for each element of a list',
    changes: { operator: { type: 'LOOP', expression: '' } },
  },
  {
    key: 'webhook',
    icon: 'hook',
    title: 'Webhook',
    detail: 'Start another workflow by its webhook',
    changes: { method: { methodType: 'WEBHOOK', request: { httpMethod: 'POST', endpoint: '' } } },
  },
];

const MAX_OPERATIONS = 30;

function useChoices(search: string): readonly Choice[] {
  const { data } = useQuery(EditorConnectorsDocument, {});
  const text = search.trim().toLowerCase();
  const operations = (data?.connectors.nodes ?? []).flatMap(({ databaseId, title, invoker }) =>
    (invoker?.operations ?? []).map(({ name, request }): Choice => ({
      key: `${databaseId} ${name}`,
      icon: 'call',
      title: `${title} › ${name}`,
      detail: `${request.method} ${request.endpoint}`,
      changes: {
        method: {
          methodType: 'CONNECTOR',
          name,
          connector: { connectorId: databaseId, title },
        },
      },
    })),
  );
  const matches = ({ title, detail }: Choice): boolean =>
    `${title} ${detail}`.toLowerCase().includes(text);
  return [...operations.filter(matches).slice(0, MAX_OPERATIONS), ...BASIC_CHOICES.filter(matches)];
}

/** Chooses the step to add at a place. */
export function PlusMenu({
  session,
  place,
  onClose,
}: {
  session: EditSession;
  place: Place;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const choices = useChoices(search);
  const choose = (changes: StepChanges): void => {
    session.add(changes, place);
    setQuery({ tab: null }, { replace: true });
    onClose();
  };
  const moveFocus = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'ArrowDown') buttons[Math.min(at + 1, buttons.length - 1)]?.focus();
    else if (event.key === 'ArrowUp')
      (buttons[at - 1] ?? list.current?.parentElement?.querySelector('input'))?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Popup label="Add a step" class="plus-menu" onClose={onClose} onKeyDown={moveFocus}>
      <PopupSearch
        label="Find an operation or a step"
        value={search}
        onInput={setSearch}
        onEnter={() => {
          const [first] = choices;
          if (first !== undefined) choose(first.changes);
        }}
        onClose={onClose}
      />
      <ul ref={list}>
        {choices.map(({ key, icon, title, detail, changes }) => (
          <li key={key}>
            <button type="button" onClick={() => choose(changes)}>
              <Icon name={icon} size={16} />
              <span>
                <b>
                  <bdi>{title}</bdi>
                </b>
                <small class="quiet">
                  <bdi>{detail}</bdi>
                </small>
              </span>
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            onClick={() => {
              pasteCopied(session, place).catch(notifyFailure);
              onClose();
            }}
          >
            <Icon name="copy" size={16} />
            <span>
              <b>Paste</b>
              <small class="quiet">Copied steps, of this or another workflow</small>
            </span>
          </button>
        </li>
      </ul>
    </Popup>
  );
}

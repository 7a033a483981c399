import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import { PaletteRecordsDocument } from '../generated/operations';
import { optionId, useSearchResults } from '../parts/combobox';
import { MAX_SEARCH_LENGTH } from '../parts/fields';
import { formatQuantity } from '../parts/format';
import { Icon } from '../parts/icon';
import { notifyFailure } from '../parts/notices';
import { findCommands, recordCommands } from './commands';
import type { CommandGroup } from './commands';
import type { Command } from './page-commands';

const RUN_NUMBER = /^(?:run\s*)?#?(\d{1,9})$/i;

async function findRecords(text: string, signal: AbortSignal): Promise<readonly CommandGroup[]> {
  if (text === '') return [];
  const runId = RUN_NUMBER.exec(text)?.[1];
  const isRun =
    runId !== undefined && ['CONNECTION:READ', 'CONNECTION:UPDATE'].some(hasPermission.value);
  return recordCommands(
    await request(PaletteRecordsDocument, { text, runId: runId ?? '0', isRun }, signal),
  );
}

function execute({ run }: Command): void {
  Promise.resolve(run()).catch(notifyFailure);
}

/** The groups of commands as options, numbered through. */
function CommandList({
  id,
  groups,
  active,
  choose,
}: {
  id: string;
  groups: readonly CommandGroup[];
  active: number;
  choose: (command: Command) => void;
}) {
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  let at = -1;
  return (
    <div id={id} class="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
      {groups.map(({ title, commands }) => (
        <div key={title} role="group" aria-label={title}>
          <div class="palette-title" aria-hidden="true">
            {title}
          </div>
          {commands.map((command, position) => {
            at += 1;
            return (
              <div
                key={position}
                id={optionId(id, at)}
                role="option"
                aria-selected={at === active}
                // Keeps the focus in the input.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(command)}
              >
                <Icon name={command.icon} size={14} />
                <bdi>{command.text}</bdi>
                {command.detail ? <small class="quiet">{command.detail}</small> : null}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Finds pages, actions, records and runs while the user types, and opens them. */
export function Palette({ close }: { close: () => void }) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const typed = text.trim();
  const records = useSearchResults(findRecords, typed, true);
  const isLoaded = records.text === typed;
  const groups = useMemo(
    // Records come last, so that nothing moves under the user when they arrive.
    () => [...findCommands(typed), ...((isLoaded ? records.results : null) ?? [])],
    [typed, isLoaded, records.results],
  );
  const commands = groups.flatMap((group) => group.commands);
  useEffect(() => input.current?.focus(), []);
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    execute(command);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = commands.length;
    if (event.key === 'ArrowDown' && count > 0) setActive((active + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) setActive((active - 1 + count) % count);
    else if (event.key === 'Enter') choose(commands[active]);
    else return;
    event.preventDefault();
  };
  const status =
    commands.length > 0
      ? formatQuantity(commands.length, 'result', 'results')
      : isLoaded
        ? 'No matches'
        : 'Searching';
  return (
    <>
      <input
        ref={input}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-label="Search pages, records and actions"
        aria-autocomplete="list"
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-activedescendant={commands.length > 0 ? optionId(listId, active) : undefined}
        placeholder="Page, workflow, run number or action"
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <CommandList id={listId} groups={groups} active={active} choose={choose} />
      <span class="palette-status quiet" role="status">
        {records.failure ?? status}
      </span>
    </>
  );
}

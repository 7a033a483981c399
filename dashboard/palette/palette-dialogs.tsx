import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { lazyComponent } from '../parts/lazy';
import { isForField } from './page-commands';

type DialogName = 'palette' | 'help';

const TITLES: Readonly<Record<DialogName, string>> = {
  palette: 'Command palette',
  help: 'Help',
};

const openDialog = signal<DialogName | null>(null);

const Palette = lazyComponent<{ close: () => void }>(
  async () => (await import('./palette')).Palette,
);
const Help = lazyComponent<object>(async () => (await import('./help')).Help);

/** Opens the command palette. */
export function PaletteButton() {
  return (
    <button
      type="button"
      class="button quiet-button palette-button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title="Find pages, workflows, runs and actions (Ctrl+K)"
      onClick={() => (openDialog.value = 'palette')}
    >
      <Icon name="search" size={14} />
      <span>Search</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
  );
}

/** Opens the help. */
export const openHelp = (): void => void (openDialog.value = 'help');

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null)
    return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'k') openDialog.value = 'palette';
  else if (!isCommand && event.key === '?' && !isForField(event)) openHelp();
  else return;
  event.preventDefault();
}

/** The command palette and the help, which open by their keys on every page. */
export function PaletteDialogs() {
  const name = openDialog.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
      openDialog.value = null;
    };
  }, []);
  useEffect(() => {
    if (name !== null && dialog.current?.open === false) dialog.current.showModal();
  }, [name]);
  if (name === null) return null;
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      key={name}
      ref={dialog}
      class={name === 'palette' ? 'palette' : 'form-dialog wide'}
      aria-label={TITLES[name]}
      onClose={() => {
        // A command may have opened the other dialog.
        if (openDialog.value === name) openDialog.value = null;
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      {name === 'palette' ? <Palette close={close} /> : <Help />}
    </dialog>
  );
}

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { IconName } from '../parts/icon';

/** Something that the command palette offers. */
export interface Command {
  readonly text: string;
  readonly icon: IconName;
  /** More about it, such as its number. */
  readonly detail?: string;
  readonly run: () => void | Promise<void>;
}

/** A key or several, and what they do. */
export type KeyHelp = readonly [keys: string, description: string];

/** Commands and keys of the shown page, which the palette and the help list. */
export const pageCommands = signal<readonly Command[]>([]);
export const pageKeys = signal<readonly KeyHelp[]>([]);

/** Offers commands in the palette and lists keys in the help while the page is shown. */
export function usePageCommands(commands: readonly Command[], keys: readonly KeyHelp[]): void {
  useEffect(() => {
    pageCommands.value = commands;
    pageKeys.value = keys;
    return () => {
      pageCommands.value = [];
      pageKeys.value = [];
    };
  }, [commands, keys]);
}

const FIELDS = 'input, textarea, select, dialog, dialog *';

/** Returns whether a key belongs to a field or a dialog instead of the page. */
export function isForField(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));
}

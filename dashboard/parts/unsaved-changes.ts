import { useEffect, useRef } from 'preact/hooks';
import { guardLeaving } from '../router';

/** The values of a form as text, to find out whether they were changed. */
const serialise = (form: HTMLFormElement): string =>
  JSON.stringify(
    [...new FormData(form)].map(([name, value]) => [
      name,
      value instanceof File ? `${value.name} ${value.size}` : value,
    ]),
  );

/** Asks before the user leaves the page of a form with changes that are not saved. */
export function useUnsavedChanges(isGuarded: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const saved = useRef<string | null>(null);
  const proceed = useRef<(() => void) | null>(null);
  const isOff = useRef(false);
  useEffect(() => {
    if (!isGuarded) return undefined;
    const isChanged = (): boolean =>
      !isOff.current &&
      form.current !== null &&
      saved.current !== null &&
      serialise(form.current) !== saved.current;
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (isChanged()) event.preventDefault();
    };
    const stop = guardLeaving((leave) => {
      if (!isChanged()) return false;
      proceed.current = leave;
      dialog.current?.showModal();
      return true;
    });
    addEventListener('beforeunload', onUnload);
    return () => {
      stop();
      removeEventListener('beforeunload', onUnload);
    };
  }, [isGuarded]);
  // At the first use instead of the mount: inputs with options load them first.
  const onUse = (): void => {
    if (form.current !== null) saved.current ??= serialise(form.current);
  };
  return {
    form,
    dialog,
    onUse,
    /** A submission may navigate. */
    pause: (): void => {
      isOff.current = true;
    },
    resume: (isSaved: boolean): void => {
      isOff.current = false;
      if (isSaved && form.current !== null) saved.current = serialise(form.current);
    },
    leave: (): void => {
      isOff.current = true;
      proceed.current?.();
    },
  };
}

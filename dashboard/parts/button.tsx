import type { ComponentProps } from 'preact';

/** A button with `isDisabled` keeps the focus; `disabled` would lose it. */
export function Button({
  isDisabled = false,
  onClick,
  ...others
}: Omit<ComponentProps<'button'>, 'disabled'> & { isDisabled?: boolean }) {
  return (
    <button
      type="button"
      {...others}
      aria-disabled={isDisabled ? true : undefined}
      onClick={isDisabled ? undefined : onClick}
    />
  );
}

import type { ComponentProps } from 'preact';

/** A button that can do nothing for now, `off`, keeps the keyboard: one that is `disabled` would lose it. */
export function Button({
  off = false,
  onClick,
  ...others
}: Omit<ComponentProps<'button'>, 'disabled'> & { off?: boolean }) {
  return (
    <button
      type="button"
      {...others}
      aria-disabled={off ? true : undefined}
      onClick={off ? undefined : onClick}
    />
  );
}

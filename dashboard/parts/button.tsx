import type { ComponentProps } from 'preact';

/** A button with `off` keeps the focus; `disabled` would lose it. */
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

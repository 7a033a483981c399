import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon';

/**
 * A dialog that opens below what it belongs to. Its first input gets the focus; Escape closes it.
 * @param props.class class next to that of all popups
 * @param props.onKeyDown handles other keys
 */
export function Popup({
  label,
  class: className = '',
  onClose,
  onKeyDown,
  children,
}: {
  label: string;
  class?: string;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => popup.current?.querySelector('input')?.focus(), []);
  return (
    <div
      ref={popup}
      class={`picker ${className}`}
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return onKeyDown?.(event);
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
    </div>
  );
}

/** The search at the top of a popup, and the button that closes it. */
export function PopupSearch({
  label,
  value,
  onInput,
  onEnter,
  onClose,
}: {
  label: string;
  value: string;
  onInput: (text: string) => void;
  onEnter?: () => void;
  onClose: () => void;
}) {
  return (
    <div class="picker-head">
      <input
        type="search"
        placeholder={label}
        aria-label={label}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onEnter?.();
        }}
      />
      <button type="button" class="bare" aria-label="Close" onClick={onClose}>
        <Icon name="cross" size={14} />
      </button>
    </div>
  );
}

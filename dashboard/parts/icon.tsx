/** Line drawings on a grid of 16 by 16. */
const SHAPES = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  slash: 'M3.8 12.2l8.4-8.4M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  bolt: 'M8.8 1.8L3.5 9H8l-.8 5.2L12.5 7H8z',
  play: 'M5 3.2v9.6L12.5 8z',
  stop: 'M4.5 4.5h7v7h-7z',
  retry: 'M12.8 6.2A5.2 5.2 0 1 0 13.2 9M13.2 2.8v3.6H9.6',
  right: 'M6 3.5L10.5 8 6 12.5',
  left: 'M10 3.5L5.5 8 10 12.5',
  down: 'M3.5 6L8 10.5 12.5 6',
  up: 'M3.5 10.5L8 6l4.5 4.5',
  undo: 'M6 3L3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7',
  redo: 'M10 3l3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H9',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  hook: 'M5.5 6.2a2.5 2.5 0 1 1 3.6 2.2L11 11.5M10.5 13.5a2.5 2.5 0 1 0 .2-5M3.5 9.2a2.5 2.5 0 1 0 3.8 2.6H11',
  globe: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM2 8h12M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
  search: 'M10.2 10.2L14 14M11.5 6.8a4.7 4.7 0 1 1-9.4 0 4.7 4.7 0 0 1 9.4 0z',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  pin: 'M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v5',
  plus: 'M8 3v10M3 8h10',
  edit: 'M3 13l.7-3.2L10.5 3 13 5.5 6.2 12.3zM9 4.5L11.5 7',
  mail: 'M2.5 3.5h11v9h-11zM2.5 4.5L8 9l5.5-4.5',
  copy: 'M5.5 5.5H13V13H5.5zM3 10.5V3h7.5',
  loop: 'M3 8a4 4 0 0 1 4-4h5M10 1.8L12.4 4 10 6.2M13 8a4 4 0 0 1-4 4H4M6 14.2L3.6 12 6 9.8',
  branch: 'M4.5 2.5v11M4.5 9c0-3 7-1.5 7-5.5M9.6 5.2l1.9-2.2 2 2.2',
  call: 'M2.5 8h10M9 4.5L12.5 8 9 11.5',
  dot: 'M8 8h.01',
  person: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.8 14c.4-2.6 2.6-4 5.2-4s4.8 1.4 5.2 4',
  lock: 'M4 7.5h8V14H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  cloud: 'M2.5 2.5l11 11M5 6a3 3 0 0 0-.5 6H11M7 4.3A4 4 0 0 1 12 8a2.2 2.2 0 0 1 1.3 3.4',
  empty: 'M2.5 9.5L4.5 3h7l2 6.5V13h-11zM2.5 9.5H6l1 1.5h2l1-1.5h3.5',
} as const;

export type IconName = keyof typeof SHAPES;

/** A decorative icon next to a text with the same meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}

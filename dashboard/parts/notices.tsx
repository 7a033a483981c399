import { signal } from '@preact/signals';
import { Icon } from './icon';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly link: { readonly href: string; readonly text: string } | null;
}

const SHOWN_MS = 8_000;
const AT_ONCE = 3;
const notices = signal<readonly Notice[]>([]);
let last = 0;

const drop = (id: number): void => {
  notices.value = notices.value.filter((notice) => notice.id !== id);
};

/** Shows the result of an action. Errors stay until they are closed. */
export function tell(
  text: string,
  { isBad = false, link = null }: { isBad?: boolean; link?: Notice['link'] } = {},
): void {
  const notice = { id: ++last, text, isBad, link };
  notices.value = [...notices.value, notice].slice(-AT_ONCE);
  if (!isBad) setTimeout(drop, SHOWN_MS, notice.id);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, isBad, link }) => (
        <div key={id} class={isBad ? 'notice bad' : 'notice'}>
          <Icon name={isBad ? 'cross' : 'check'} size={14} />
          <span>
            <bdi dir="ltr">{text}</bdi>
            {link === null ? null : (
              <>
                {' '}
                <a href={link.href}>{link.text}</a>
              </>
            )}
          </span>
          <button
            type="button"
            class="bare"
            aria-label="Close this message"
            onClick={() => drop(id)}
          >
            <Icon name="cross" size={12} />
          </button>
        </div>
      ))}
    </div>
  );
}

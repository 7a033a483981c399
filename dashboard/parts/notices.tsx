import { signal } from '@preact/signals';
import { toFailure } from '../api/failure';
import { Icon } from './icon';
import { RequestId } from './request-id';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly requestId: string | null;
  readonly link: { readonly href: string; readonly text: string } | null;
  /** A button, such as one that undoes what the notice is about. */
  readonly action: { readonly text: string; readonly run: () => void } | null;
}

const VISIBLE_MS = 8_000;
const MAX_NOTICES = 3;
const notices = signal<readonly Notice[]>([]);
let lastId = 0;

const closeNotice = (id: number): void => {
  notices.value = notices.value.filter((notice) => notice.id !== id);
};

/** Shows the result of an action. Errors stay until they are closed. */
export function notify(
  text: string,
  {
    isError = false,
    requestId = null,
    link = null,
    action = null,
  }: Partial<Omit<Notice, 'id' | 'text'>> = {},
): void {
  const notice = { id: ++lastId, text, isError, requestId, link, action };
  notices.value = [...notices.value, notice].slice(-MAX_NOTICES);
  if (!isError) setTimeout(closeNotice, VISIBLE_MS, notice.id);
}

/** Shows why an action failed. */
export function notifyFailure(error: unknown): void {
  const { message, requestId } = toFailure(error);
  notify(message, { isError: true, requestId });
}

export function NoticeList() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, isError, requestId, link, action }) => (
        <div key={id} class={isError ? 'notice bad' : 'notice'}>
          <Icon name={isError ? 'cross' : 'check'} size={14} />
          <span>
            <bdi dir="ltr">{text}</bdi>
            {link === null ? null : (
              <>
                {' '}
                <a href={link.href}>{link.text}</a>
              </>
            )}
            <RequestId id={requestId} />
          </span>
          {action === null ? null : (
            <button
              type="button"
              class="button quiet-button"
              onClick={() => {
                closeNotice(id);
                action.run();
              }}
            >
              {action.text}
            </button>
          )}
          <button
            type="button"
            class="bare"
            aria-label="Close this message"
            onClick={() => closeNotice(id)}
          >
            <Icon name="cross" size={12} />
          </button>
        </div>
      ))}
    </div>
  );
}

import { formatDateTime } from '../parts/format';

/** Shown next to the name of a user who cannot sign in. */
export function DisabledTag({ user }: { user: { disabledAt: string | null } | null }) {
  if (user === null || user.disabledAt === null) return null;
  return (
    <span class="tag" title={`Disabled ${formatDateTime(user.disabledAt)}`}>
      Disabled
    </span>
  );
}

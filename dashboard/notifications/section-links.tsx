import { hasPermission } from '../current-user';
import { href, route } from '../router';

/** Links between the lists of the notifications page. Only administrators see messages. */
export function SectionLinks() {
  if (!hasPermission.value('admin')) return null;
  const { path } = route.value;
  return (
    <nav class="segments" aria-label="Notifications">
      <a href={href('notifications')} aria-current={path === 'notifications' ? 'page' : undefined}>
        Messages
      </a>
      <a
        href={href('notifications/templates')}
        aria-current={path === 'notifications/templates' ? 'page' : undefined}
      >
        Templates
      </a>
    </nav>
  );
}

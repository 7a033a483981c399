import { hasPermission } from '../current-user';
import { href } from '../router';

/** Names the keys of the configuration without which something cannot be done; nothing without keys. */
export function MissingSettings({ text, keys }: { text: string; keys: readonly string[] }) {
  if (keys.length === 0) return null;
  return (
    <div class="error-box" role="status">
      {text} Missing in the configuration: <code>{keys.join(', ')}</code>.{' '}
      {hasPermission.value('admin') ? (
        <a href={href('configuration')}>Open the configuration</a>
      ) : (
        'Ask an administrator to set them.'
      )}
    </div>
  );
}

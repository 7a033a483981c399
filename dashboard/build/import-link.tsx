import { hasPermission } from '../current-user';
import { Icon } from '../parts/icon';
import { href } from '../router';

/** A link to the import of files, for users with this permission. */
export function ImportLink({ permission }: { permission: string }) {
  if (!hasPermission.value(permission)) return null;
  return (
    <a class="button" href={href('import')}>
      <Icon name="down" size={14} />
      <span>Import</span>
    </a>
  );
}

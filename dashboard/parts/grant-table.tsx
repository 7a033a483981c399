/** A part of the service, a row of the table. */
interface GrantComponent {
  readonly name: string;
  readonly description?: string;
}

interface GrantBoxes {
  /** Name of the values in the form. */
  readonly name: string;
  /** Rights that are checked at first. */
  readonly granted: ReadonlySet<string>;
  /** Returns whether the user may select a right. */
  readonly isOffered: (grant: string) => boolean;
}

function GrantRow({
  component,
  permissions,
  name,
  granted,
  isOffered,
}: GrantBoxes & { component: GrantComponent; permissions: readonly string[] }) {
  return (
    <tr>
      <th scope="row" title={component.description}>
        {component.name}
      </th>
      {permissions.map((permission) => {
        const grant = `${component.name}:${permission}`;
        return (
          <td key={permission} class="grant">
            <input
              type="checkbox"
              name={name}
              value={grant}
              aria-label={grant}
              defaultChecked={granted.has(grant)}
              disabled={!isOffered(grant) && !granted.has(grant)}
            />
          </td>
        );
      })}
    </tr>
  );
}

/**
 * Rights as a table of components and permissions, part of a form. The form has the checked rights
 * as values of `name`: `CONNECTION:READ`.
 * @param props.label name of the table for screen readers
 */
export function GrantTable({
  label,
  components,
  permissions,
  ...boxes
}: GrantBoxes & {
  label: string;
  components: readonly GrantComponent[];
  permissions: readonly string[];
}) {
  return (
    <div class="grants-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="rows grants" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Component</th>
            {permissions.map((permission) => (
              <th key={permission} scope="col" class="grant">
                {permission}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {components.map((component) => (
            <GrantRow
              key={component.name}
              component={component}
              permissions={permissions}
              {...boxes}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { useQuery } from '../api/hooks';
import { GroupNamesDocument } from '../generated/operations';
import { Select } from '../parts/fields';
import type { Option } from '../parts/fields';
import { SelectField } from '../parts/form';

/** The groups as options of a menu, by name. Empty until they are loaded. */
function useGroupOptions(): readonly Option[] {
  const { data } = useQuery(GroupNamesDocument, {});
  return (data?.userGroups.nodes ?? []).map(({ databaseId, name }) => ({
    value: String(databaseId),
    text: name,
  }));
}

/** The group of a user in a form, with the present one first. Needs the permission to read groups. */
export function GroupField({ group }: { group?: { databaseId: number; name: string } }) {
  const options = useGroupOptions();
  const first =
    group === undefined
      ? { value: '', text: 'Select a group' }
      : { value: String(group.databaseId), text: group.name };
  return (
    <SelectField
      label="Group"
      name="groupId"
      value={first.value}
      options={[first, ...options.filter(({ value }) => value !== first.value)]}
      isRequired
    />
  );
}

/** Filters users by their group. Needs the permission to read groups. */
export function GroupFilter({
  value,
  onChange,
}: {
  value: string;
  onChange: (value: string) => void;
}) {
  const options = useGroupOptions();
  return (
    <Select
      label="Group"
      value={value}
      options={[{ value: '', text: 'Any' }, ...options]}
      onChange={onChange}
    />
  );
}

/** The relations of a condition as editors of the 4.x line write them. */
export const RELATIONS = [
  ...['=', '!=', '>', '>=', '<', '<='],
  ...['IsNull', 'NotNull', 'IsEmpty', 'NotEmpty'],
  ...['Contains', 'NotContains', 'ContainsSubStr', 'NotContainsSubStr'],
  ...['PropertyExists', 'PropertyNotExists'],
  ...['Like', 'NotLike', 'Matches', 'RegExp', 'RegEx'],
  ...['IsTypeOf', 'AllowList', 'DenyList'],
];

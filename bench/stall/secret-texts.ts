const LENGTH = 1_000_000;
const repeated = (unit: string): string => unit.repeat(Math.floor(LENGTH / unit.length));
const numbered = (unit: (index: number) => string): string => {
  const count = Math.floor(LENGTH / unit(100_000).length);
  return Array.from({ length: count }, (_, index) => unit(index)).join('');
};
const inJson = (text: string, levels: number): string => {
  let nested = text.slice(0, Math.floor(LENGTH / 2 ** (levels + 1)));
  for (let level = 0; level < levels; level += 1)
    nested = JSON.stringify({ message: nested, password: 'x' });
  return nested;
};

/** A megabyte of each kind of text in which secrets are looked for. */
export const SECRET_TEXTS: Readonly<Record<string, string>> = {
  JSON: `[${repeated('{"password":"abc","a":{"b":1}},')}1]`,
  'JSON of many names': `{${numbered((index) => `"pass${index}":"b${index}",`)}"a":1}`,
  'JSON in JSON': inJson(repeated('{"password":"abc","a":1},'), 1),
  'JSON in JSON in JSON': inJson(repeated('{"pin":"abc","a":1},'), 3),
  'many pieces of JSON in JSON': `[${repeated('"{\\"password\\":\\"x\\"}",')}1]`,
  'secrets in secrets': repeated('{"password":{"a":1,'),
  'a form': repeated('password=a&b=c&'),
  'a form of many names': numbered((index) => `k${index}=a&`),
  'a form with encoded names': repeated('p%61ssword=a&'),
  'one encoded name': `${repeated('%41')}=b`,
  XML: repeated('<password>a</password>'),
  'XML of many names': numbered((index) => `<token${index}>x</token${index}>`),
  'elements that are not closed': `${repeated('<password ')}/>`,
  'arguments of GraphQL': repeated('login(password:"a",b:1){c} '),
  URLs: repeated('https://a:b@c.d/?token=x&'),
  'users of URLs': repeated('//a:'),
  references: repeated('password={%a%}x&'),
  'what begins like references': `token=${repeated('{a')}`,
  lines: repeated('password: a\n'),
  brackets: repeated('[{('),
  quotes: repeated('"a'),
};

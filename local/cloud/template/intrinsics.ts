/** Resolves the references of intrinsic functions. */
export interface References {
  /** Returns the `Ref` of a resource or a pseudo parameter; `undefined` for `AWS::NoValue`. */
  ref(name: string): unknown;
  getAtt(logicalId: string, attribute: string): unknown;
  condition(name: string): boolean;
  /** Replaces dynamic references and local addresses in a string. */
  text(value: string): string;
}

type Intrinsic = (argument: unknown, refs: References) => unknown;

/** The supported intrinsic functions. */
const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, refs) => refs.ref(String(name)),
  'Fn::GetAtt': (target, refs) => {
    const [logicalId = '', ...attribute] = typeof target === 'string' ? target.split('.') : list(target, refs);
    return refs.getAtt(String(logicalId), attribute.join('.'));
  },
  'Fn::Join': (argument, refs) => {
    const [separator, parts] = argument as [string, unknown];
    return list(parts, refs).map(String).join(separator);
  },
  'Fn::Split': (argument, refs) => {
    const [separator, source] = argument as [string, unknown];
    return String(resolve(source, refs)).split(separator);
  },
  'Fn::Select': (argument, refs) => {
    const [index, source] = argument as [unknown, unknown];
    const values = list(source, refs);
    const value = values[Number(resolve(index, refs))];
    if (value === undefined) throw new Error(`Fn::Select: no element ${index} among ${values.length}`);
    return value;
  },
  'Fn::Sub': (argument, refs) => {
    const [text, variables] = typeof argument === 'string' ? [argument, {}] : (argument as [string, object]);
    const given = resolve(variables, refs) as Record<string, unknown>;
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_all, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in given) return String(given[name]);
      const [logicalId = '', ...attribute] = name.split('.');
      return String(attribute.length ? refs.getAtt(logicalId, attribute.join('.')) : refs.ref(name));
    });
  },
  'Fn::If': (argument, refs) => {
    const [name, yes, no] = argument as [string, unknown, unknown];
    return resolve(refs.condition(name) ? yes : no, refs);
  },
  Condition: (name, refs) => refs.condition(String(name)),
  'Fn::Equals': (argument, refs) => {
    const [left, right] = list(argument, refs);
    return left === right;
  },
  'Fn::And': (argument, refs) => list(argument, refs).every(Boolean),
  'Fn::Or': (argument, refs) => list(argument, refs).some(Boolean),
  'Fn::Not': (argument, refs) => !list(argument, refs)[0],
};

/** Replaces all intrinsic functions and dynamic references in a value, and removes `AWS::NoValue` members. */
export function resolve(value: unknown, refs: References): unknown {
  if (typeof value === 'string') return refs.text(value);
  if (Array.isArray(value)) return list(value, refs);
  if (typeof value !== 'object' || value === null) return value;

  const entries = Object.entries(value);
  const [only] = entries;
  // In a policy statement, "Condition" is one of several members.
  if (only !== undefined && entries.length === 1 && isIntrinsic(only)) {
    const [name, argument] = only;
    const intrinsic = INTRINSICS[name];
    if (intrinsic === undefined) throw new Error(`the intrinsic function ${name} is not supported`);
    const result = intrinsic(argument, refs);
    return typeof result === 'string' ? refs.text(result) : result;
  }
  return Object.fromEntries(
    entries.map(([key, member]) => [key, resolve(member, refs)]).filter(([, member]) => member !== undefined),
  );
}

function isIntrinsic([name, argument]: [string, unknown]): boolean {
  if (name === 'Condition') return typeof argument === 'string';
  return name === 'Ref' || name.startsWith('Fn::');
}

function list(value: unknown, refs: References): unknown[] {
  const resolved = Array.isArray(value)
    ? value.map((element) => resolve(element, refs)).filter((element) => element !== undefined)
    : resolve(value, refs);
  if (!Array.isArray(resolved)) throw new Error(`expected a list, not ${JSON.stringify(value)}`);
  return resolved;
}

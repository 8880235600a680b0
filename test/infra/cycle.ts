import type { Resource, Template } from './templates.ts';

/** Returns the logical ids of a circular dependency, which CloudFormation rejects; undefined if there is none. */
export function cycleIn({ Resources }: Template): string[] | undefined {
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    const resource = Resources[id];
    if (resource === undefined || done.has(id)) return undefined;
    for (const next of dependenciesOf(resource)) {
      const cycle = visit(next, [...path, id]);
      if (cycle) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(Resources)) {
    const cycle = visit(id, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Returns the references in the properties, the update policy and `DependsOn` of a resource. */
function dependenciesOf(resource: Resource): Set<string> {
  const found = new Set(resource.DependsOn ?? []);
  JSON.stringify(resource, (_key, value) => {
    if (typeof value?.Ref === 'string') found.add(value.Ref);
    const attribute = value?.['Fn::GetAtt'];
    if (Array.isArray(attribute)) found.add(String(attribute[0]));
    return value;
  });
  return found;
}

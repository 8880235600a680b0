import type { Resource, Template } from './synthesized.ts';

/** Returns the logical ids of resources that depend on each other in a circle, which CloudFormation refuses; undefined without one. */
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

/** Of its properties, its update policy and `DependsOn`. */
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

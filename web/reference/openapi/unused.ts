/** Removes components that nothing refers to, such as schemas of configurations. */
export function withoutUnused<T extends { components?: object }>(document: T): T {
  const kept = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && !kept.has($ref)) {
      const [, , kind = '', name = ''] = $ref.split('/');
      kept.set($ref, undefined);
      visit((document.components as Record<string, Record<string, unknown>>)[kind]?.[name]);
    }
    Object.values(value).forEach(visit);
  };
  visit({ ...document, components: {} });
  const components = Object.entries(document.components ?? {}).map(([kind, entries]) => [
    kind,
    Object.fromEntries(
      Object.entries(entries as object).filter(
        ([name]) => kind === 'securitySchemes' || kept.has(`#/components/${kind}/${name}`),
      ),
    ),
  ]);
  return { ...document, components: Object.fromEntries(components) };
}

import versions from './listed/versions.json' with { type: 'json' };

/**
 * Returns the packages that projects may import without declaring them, sorted by name; several versions of a package begin with the
 * one that is used by default.
 */
export function listedPackages(): readonly { readonly name: string; readonly version: string }[] {
  return versions;
}

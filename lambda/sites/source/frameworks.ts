import { sourceText } from './source-text.ts';

/** Frameworks that render on a server or have a build of their own, by a package that each project of theirs depends on. */
const FRAMEWORKS: ReadonlyMap<string, string> = new Map([
  ['next', 'out'],
  ['@tanstack/react-start', 'dist/client'],
  ['@tanstack/solid-start', 'dist/client'],
  ['@tanstack/start', 'dist/client'],
  ['nuxt', '.output/public'],
  ['@sveltejs/kit', 'build'],
  ['astro', 'dist'],
  ['@remix-run/react', 'build/client'],
  ['@react-router/dev', 'build/client'],
  ['@angular/core', 'dist'],
  ['gatsby', 'public'],
  ['@builder.io/qwik-city', 'dist'],
]);

/**
 * Returns why a project cannot be built here, or undefined if its package.json names none of these frameworks.
 * @param files by path
 */
export function refusedFramework(files: ReadonlyMap<string, string | Uint8Array>): string | undefined {
  const manifest = files.get('package.json');
  const names = manifest === undefined ? [] : dependencyNames(sourceText(manifest));
  const name = names.find((dependency) => FRAMEWORKS.has(dependency));
  return name === undefined
    ? undefined
    : `This project uses ${name}, which renders on a server or needs its own build. Run its static export and deploy the output folder (${FRAMEWORKS.get(name)})`;
}

/** Returns the names of the packages that a package.json depends on; none if it is not valid. */
export function dependencyNames(json: string): string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(json);
    return [dependencies, devDependencies].flatMap((names) => Object.keys(Object(names)));
  } catch {
    return [];
  }
}

import './native-stack.ts';
import type { BuildProblem } from '../contract/builds.ts';
import { BUILD_LIMITS } from '../contract/limits.ts';
import { boundedProblems } from '../platform/bounded.ts';
import { byPath, entryOf } from '../sites/paths.ts';
import type { BuildInput } from '../sites/source/build.ts';
import { dependencyNames, type ProjectKind, projectKind } from '../sites/source/kind.ts';
import { atRoot, hiddenAtRoot } from '../sites/source/root.ts';
import { readProjectConfig } from './config/project-config.ts';
import { packageAliases } from './config/settings.ts';
import type { BuildContext, BuildOutput, VendorSlot } from './context.ts';
import { type Files, textOf } from './files.ts';
import { baseName, type LinkedScripts, linkChunks, preloadsOf } from './linking/link.ts';
import { importSizes, type PackagesBundle } from './linking/packages-bundle.ts';
import { packageReferences, type Wanted } from './linking/references.ts';
import { vendorBundle } from './linking/vendor.ts';
import { AssetFolder, addRedirects, limitOutput, publicFiles } from './output.ts';
import { bundleOwnCode, type OwnCode } from './own-code/bundle.ts';
import { packagesOfTypes } from './own-code/vue-files.ts';
import { packageName } from './packages/manifest.ts';
import { NO_PACKAGES, type PackageTree } from './packages/resolver.ts';
import type { PackageSource } from './packages/source.ts';
import { builtPage, lonePage, type Page, readPage } from './page.ts';
import { atImports, BuildError, placeInOwnCode } from './problems.ts';
import { Resolver } from './resolver.ts';
import { importedSheets } from './styles/imported.ts';
import { bundleStyles, loadStyleTools, pageSheets, takeSheets } from './styles/styles.ts';
import { packagesOfStyles } from './styles/urls.ts';

/** Returns the path that a file of the root folder has in the project. */
type Own = (path: string) => string;

type SourceKind = Extract<ProjectKind, { kind: 'source' }>;

/**
 * Builds a project. The steps, and where they are:
 *
 * 1. The configuration is read (`config/`), and the pages (`page.ts`).
 * 2. Own code is compiled and bundled (`own-code/`). Packages stay imports, style sheets are collected.
 * 3. The packages that it imports are chosen and fetched (`packages/`), bundled, and linked to own code (`linking/`).
 * 4. The style sheets of each page become one (`styles/`).
 * 5. The pages get the names of the built files (`page.ts`), and the output is checked against the limits
 *   (`output.ts`).
 *
 * @param packages fetches packages
 * @param vendor keeps the bundle of the packages for the next build
 * @throws BuildError for everything that is wrong with the project, with the place (`problems.ts`)
 */
export async function build(input: BuildInput, packages: PackageSource, vendor: VendorSlot): Promise<BuildOutput> {
  const kind = projectKind(input.files);
  if (kind.kind === 'refused') throw new BuildError([{ message: kind.reason }]);
  if (kind.kind === 'site') throw new BuildError([{ message: 'This project has no source to build' }]);
  const { root } = kind;
  const own: Own = (path) => (input.files.has(root + path) ? root + path : path);
  const warnings = new Set<string>();
  let fetching = 0;
  const counted: PackageSource = {
    open: (...given) => {
      fetching += 1;
      return packages.open(...given).finally(() => {
        fetching -= 1;
      });
    },
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong(fetching > 0)), BUILD_LIMITS.milliseconds);
  });
  try {
    const files = atRoot(input.files, root);
    const hidden = hiddenAtRoot(input.files, root);
    return await Promise.race([
      buildSource({ ...input, files }, kind, own, hidden, warnings, counted, vendor),
      timeout,
    ]);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    const problems = error.problems.map((problem) => withOwnPath(problem, own));
    // An ignored setting is often the cause of the failure.
    throw new BuildError([...problems, ...Array.from(warnings, (message) => ({ message }))], error.code);
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(isFetching: boolean): BuildError {
  const seconds = BUILD_LIMITS.milliseconds / 1_000;
  const message = isFetching
    ? `The registry did not deliver the packages within ${seconds} s. Try again: those that it did are kept`
    : `The build took longer than ${seconds} s: import less, or build it elsewhere and deploy the output`;
  return new BuildError([{ message }], isFetching ? 'unavailable' : 'build_failed');
}

function withOwnPath(problem: BuildProblem, own: Own): BuildProblem {
  return problem.path === undefined ? problem : { ...problem, path: own(problem.path) };
}

async function buildSource(
  input: BuildInput,
  kind: SourceKind,
  ownPath: Own,
  hidden: ReadonlySet<string>,
  warnings: Set<string>,
  packages: PackageSource,
  vendor: VendorSlot,
): Promise<BuildOutput> {
  const { files: project, preview } = input;
  fetchEarly(input, packages);
  const storedBundle = vendor.read();
  const assets = new AssetFolder(project);
  const read = contextOf(input, kind, ownPath, hidden, assets, warnings);
  const types = await openTypes(read, input, packages);
  const context = { ...read, types: types instanceof BuildError ? NO_PACKAGES : types };
  const pages = pagesOf(kind, context);
  const scripts = new Map(pages.flatMap((page) => [...page.scripts]));
  const own = await bundleOwnCode(
    context,
    pages.map(({ entry }) => entry),
    scripts,
  ).catch((error) => {
    if (!(error instanceof BuildError && types instanceof BuildError)) throw error;
    throw new BuildError([...types.problems, ...error.problems], types.code);
  });

  const wanted = new Map<string, Wanted>();
  const references = new Map(own.chunks.map((chunk) => [chunk, packageReferences(chunk.code, wanted)]));
  const names = new Set([...wanted.keys()].map(packageName));
  const tree = await openPackages(names, own, input, context, packages, warnings);
  assets.open(tree.files);
  const sheets = takeSheets(wanted, tree);
  const aliases = packageAliases(context.config.aliases);
  const placeOf = placeInOwnCode(project, own.imports);
  const slot: VendorSlot = { read: () => storedBundle, write: (written) => vendor.write(written) };
  const [bundle] = await Promise.all([
    vendorBundle(tree, wanted, aliases, slot, placeOf),
    loadStyleTools(context.config),
  ]);
  const style = { ...context, packages: tree, minify: !preview, assets: '' };
  const complete = await importedSheets(context, style, (name, css) => assets.emit(name, css));
  const linked = await linkChunks(own.chunks, references, bundle, { project, ownPath }, preview, complete);

  const files = new Map(publicFiles(project));
  for (const page of pages) {
    const css = await bundleStyles(pageSheets(page.entry.id, own, context, { tree, sheets, bundle }), style);
    const styles = css === '' ? undefined : assets.emit(`${page.entry.name}.css`, Buffer.from(css));
    const inline = new Map<string, string>();
    for (const id of page.styles) {
      const sheet = context.sheets.get(id);
      if (sheet) inline.set(id, await bundleStyles([sheet], { ...style, assets: '/assets/' }));
    }
    const loaded = { ...loadedScripts(page, own, linked, bundle), styles, inline };
    files.set(page.path, builtPage(page, loaded, context));
  }
  warnOfUnpublished(pages, files, context);
  // The folder of the start page is the root of a site, and the built files are at the top.
  const start = entryOf([...files.keys()]);
  if (start.includes('/')) files.set('index.html', files.get(start) ?? new Uint8Array());
  for (const [name, code] of linked.scripts) files.set(`assets/${name}`, Buffer.from(code));
  for (const [name, content] of [...bundle.files, ...assets.files]) files.set(`assets/${name}`, content);
  addRedirects(files, names);
  const sorted = new Map([...files].toSorted(([a], [b]) => byPath(a, b)));
  const bytes = limitOutput(sorted, importSizes(bundle), placeOf);
  return outputOf(sorted, bytes, linked.maps, tree, names, warnings);
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
/** Scripts that no page loads, and whose packages are large. */
const OF_TOOLS = /\.(?:config|d|spec|stories|test)\.\w+$/;
const IMPORTED = /\b(?:from|import)\s{0,9}\(?\s{0,9}(["'])([^"'./\n][^"'\n]{0,200})\1/g;

/**
 * Begins to fetch the declared packages that scripts seem to import, while own code is bundled. Errors come from
 * `openPackages`, which knows what is imported.
 */
function fetchEarly({ files, chosen }: BuildInput, packages: PackageSource): void {
  const declared = new Set(dependencyNames(textOf(files, 'package.json') ?? ''));
  const scripts = [...files.keys()].filter((path) => SCRIPT.test(path) && !OF_TOOLS.test(path));
  const specifiers = scripts.flatMap((path) => [...(textOf(files, path) ?? '').matchAll(IMPORTED)]);
  const names = specifiers.map(([, , specifier = '']) => packageName(specifier));
  const imported = new Set(names.filter((name) => declared.has(name)));
  if (imported.size > 0) packages.open(imported, files, chosen).catch(() => undefined);
}

function contextOf(
  { files: project, env, preview }: BuildInput,
  { component, root }: SourceKind,
  own: Own,
  hidden: ReadonlySet<string>,
  assets: AssetFolder,
  warnings: Set<string>,
): BuildContext {
  const read = readProjectConfig(project, root, env);
  // The sheet of a lone component's page imports Tailwind 4, which no file says.
  const tailwind = component === undefined ? read.tailwind : (read.tailwind ?? { version: 4 });
  const config = { ...read, tailwind };
  const warn = (warning: BuildProblem) => warnings.add(warningText(withOwnPath(warning, own)));
  for (const warning of config.warnings) warn(warning);
  return {
    project,
    config,
    resolver: new Resolver(project, config, hidden),
    types: NO_PACKAGES,
    missing: new Set(),
    preview,
    sheets: new Map(),
    asset: (path) => assets.add(path),
    warn,
  };
}

function warningText({ message, path, line, column }: BuildProblem): string {
  return [path, line, column, ` ${message}`]
    .filter((part) => part !== undefined)
    .join(':')
    .trim();
}

function pagesOf({ pages, component }: SourceKind, context: BuildContext): Page[] {
  if (component !== undefined) return [lonePage(component, context)];
  return pages.map((path) => readPage(path, context.project.get(path) ?? new Uint8Array(), context));
}

/**
 * Returns the packages whose types components of Vue may need, as far as package.json declares them, or why they cannot
 * be used: it matters only if the components cannot be compiled without them.
 */
async function openTypes(
  context: BuildContext,
  { files, chosen }: BuildInput,
  packages: PackageSource,
): Promise<PackageTree | BuildError> {
  const names = packagesOfTypes(context).filter((name) => context.config.dependencies.has(name));
  if (names.length === 0) return NO_PACKAGES;
  try {
    return (await packages.open(new Set(names), files, chosen, true)).tree;
  } catch (error) {
    if (error instanceof BuildError) return error;
    throw error;
  }
}

async function openPackages(
  names: ReadonlySet<string>,
  own: OwnCode,
  { files: project, chosen }: BuildInput,
  context: BuildContext,
  packages: PackageSource,
  warnings: Set<string>,
): Promise<PackageTree> {
  const all = new Set([...names, ...packagesOfStyles(context)].toSorted());
  if (all.size === 0) return NO_PACKAGES;
  try {
    const opened = await packages.open(all, project, chosen);
    for (const warning of opened.warnings) warnings.add(warning);
    return opened.tree;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    throw new BuildError(atImports(error.problems, names, project, own.imports), error.code);
  }
}

/** Warns of pages that a page links to and that load no source: a build publishes only what `public/` has of them. */
function warnOfUnpublished(pages: readonly Page[], files: Files, { project, config, warn }: BuildContext): void {
  const named = new Set<string>();
  for (const { path, links } of pages)
    for (const link of links)
      if (project.has(link) && !files.has(link) && !named.has(link)) {
        named.add(link);
        warn({
          message: `It links to ${config.root}${link}, which is not published: put it into ${config.root}public/`,
          path,
        });
      }
}

function loadedScripts(page: Page, own: OwnCode, linked: LinkedScripts, bundle: PackagesBundle) {
  const chunk = own.chunks.find(({ facadeModuleId }) => facadeModuleId === page.entry.id);
  if (!chunk) return { script: undefined, preloads: [] };
  const preloads = preloadsOf(chunk, own.chunks, linked, bundle);
  return { script: linked.names.get(baseName(chunk.fileName)), preloads };
}

function outputOf(
  sorted: Map<string, Uint8Array>,
  bytes: number,
  maps: LinkedScripts['maps'],
  { versions }: PackageTree,
  imported: ReadonlySet<string>,
  warnings: ReadonlySet<string>,
): BuildOutput {
  const packages = [...versions].filter(([name]) => imported.has(name)).toSorted(([a], [b]) => byPath(a, b));
  const report = {
    files: sorted.size,
    bytes,
    packages: Object.fromEntries(packages),
    // The next deploy reads the report as one bounded line.
    warnings: boundedProblems([...warnings]),
  };
  // They tell the places of errors. Visitors load none, so that neither the report nor the limits count them.
  for (const [name, map] of maps) sorted.set(`assets/${name}`, Buffer.from(map));
  return { files: sorted, report };
}

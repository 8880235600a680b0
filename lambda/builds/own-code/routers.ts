import type { BuildContext } from '../context.ts';
import { BASE_IMPORT } from './env.ts';
import { type Node, type Rewrite, stringOf, type Visitor } from './syntax.ts';

/** Modules that wrap an export of a router: `\0router/<package>/<export>`. */
export const ROUTER_MODULE = '\0router/';

/**
 * Returns code that exports `wrapped`, which calls an export of the package with the path of the site. The code may use `real`, the
 * export; `base`, the path without its last slash; and `unset`, the values with which a project leaves its base to the host.
 */
type Wrapper = (packageName: string) => string;

/** A component of React whose base is a property. */
const withProperty =
  (property: string): Wrapper =>
  () =>
    `
import { createElement } from 'react';
export const wrapped = (props) =>
  createElement(real, ${isUnset('props', property)} ? { ...props, ${property}: base || '/' } : props);`;

/** A function whose base is an option. */
const withOption =
  (property: string, position: 0 | 1): Wrapper =>
  () =>
    `
export const wrapped = (...args) => {
  const options = args[${position}] ?? {};
  if (${isUnset('options', property)}) args[${position}] = { ...options, ${property}: base || '/' };
  return real(...args);
};`;

const isUnset = (object: string, property: string) => `unset.includes(${object}.${property})`;

const vueHistory: Wrapper = () => `
export const wrapped = (given) => real(unset.includes(given) ? base + '/' : given);`;

const solidRouter: Wrapper = () => `
import { createComponent, mergeProps } from 'solid-js';
export const wrapped = (props) =>
  createComponent(real, ${isUnset('props', 'base')} ? mergeProps(props, { base }) : props);`;

/**
 * wouter works without a `Router`: its default one is changed when it is first used. A `Router` with a base, or with a
 * hook such as that of hashes, stays as it is.
 */
const wouterDefault = (packageName: string) => `
import { useRouter } from ${JSON.stringify(packageName)};
const useBase = () => {
  const router = useRouter();
  if (!router.base && !router.hook?.hrefs && !router.hook?.searchHook) router.base = base;
};`;

const wouterHook: Wrapper = (name) => `${wouterDefault(name)}
export const wrapped = (...args) => {
  useBase();
  return real(...args);
};`;

const wouterComponent: Wrapper = (name) => `${wouterDefault(name)}
import { createElement, forwardRef } from 'react';
export const wrapped = forwardRef((props, ref) => {
  useBase();
  return createElement(real, ref ? { ...props, ref } : props);
});`;

const reactRouter = new Map([
  ['BrowserRouter', withProperty('basename')],
  ['createBrowserRouter', withOption('basename', 1)],
]);
const wouter = new Map([
  ...['Route', 'Switch', 'Link', 'Redirect'].map((name) => [name, wouterComponent] as const),
  ...['useLocation', 'useRoute', 'useSearchParams'].map((name) => [name, wouterHook] as const),
]);

/** Which exports are wrapped, by package. */
const ROUTERS: ReadonlyMap<string, ReadonlyMap<string, Wrapper>> = new Map([
  ['react-router', reactRouter],
  ['react-router-dom', reactRouter],
  ['wouter', wouter],
  ['vue-router', new Map([['createWebHistory', vueHistory]])],
  ['@solidjs/router', new Map([['Router', solidRouter]])],
  ['@tanstack/react-router', new Map([['createRouter', withOption('basepath', 0)]])],
]);

/** Packages that show a page for each path; a path that is no file then needs the start page. */
export const routerPackages: readonly string[] = [...ROUTERS.keys()];

/** Reports if code may import a router: a quick check. */
export const hasRouter = (code: string): boolean => routerPackages.some((name) => code.includes(name));

/** Imports what a router reads its base from, such as `BrowserRouter`, from a module that wraps it. */
export function rewriteRouters(rewrite: Rewrite): Visitor {
  return (node) => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return false;
    const packageName = stringOf(node.source) ?? '';
    const wrappers = ROUTERS.get(packageName);
    if (!wrappers) return false;
    const specifiers = node.specifiers as Node[];
    if (specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) {
      rewrite.warn(
        node,
        `Import the parts of ${packageName} by name: as a whole, it does not get the path of the site`,
      );
    }
    const wrapped = specifiers.filter((specifier) => wrappers.has(importedName(specifier)));
    if (wrapped.length === 0) return false;
    for (const specifier of wrapped) {
      const local = (specifier.local as Node).name;
      const module = `${ROUTER_MODULE}${packageName}/${importedName(specifier)}`;
      rewrite.addImport(`import { wrapped as ${local} } from ${JSON.stringify(module)}`);
    }
    const others = specifiers.filter((specifier) => !wrapped.includes(specifier));
    rewrite.edits.update(node.start, node.end, importOf(others, packageName, node, rewrite.code));
    return true;
  };
}

/** The name of a value that is imported by name; empty for a type, a default export and a namespace. */
function importedName(specifier: Node): string {
  const name = (specifier.imported as Node | undefined)?.name;
  return specifier.importKind !== 'type' && typeof name === 'string' ? name : '';
}

/** The declaration that is left, on as many lines as before. */
function importOf(specifiers: readonly Node[], packageName: string, node: Node, code: string): string {
  const lines = code.slice(node.start, node.end).split('\n').length;
  const text = (type: string) =>
    specifiers.filter((specifier) => specifier.type === type).map(({ start, end }) => code.slice(start, end));
  const named = text('ImportSpecifier');
  const clauses = [...text('ImportDefaultSpecifier'), ...text('ImportNamespaceSpecifier')];
  if (named.length > 0) clauses.push(`{ ${named.join(', ')} }`);
  const from = JSON.stringify(packageName);
  return (clauses.length > 0 ? `import ${clauses.join(', ')} from ${from};` : ';') + '\n'.repeat(lines - 1);
}

/** The code of a module of `ROUTER_MODULE`; undefined for any other. */
export function routerCode(id: string, { config }: BuildContext): string | undefined {
  const path = id.slice(ROUTER_MODULE.length);
  const packageName = path.slice(0, path.lastIndexOf('/'));
  const name = path.slice(path.lastIndexOf('/') + 1);
  const wrapper = ROUTERS.get(packageName)?.get(name);
  if (!wrapper) return undefined;
  // A base of "/" is none, and that of the configuration is where another host has the site.
  const elsewhere = config.base?.replace(/\/$/, '') ?? '';
  const unset = ['', '/', elsewhere, `${elsewhere}/`];
  return `import { ${name} as real } from ${JSON.stringify(packageName)};
${BASE_IMPORT};
const base = __base.slice(0, -1);
const unset = [undefined, ${unset.map((text) => JSON.stringify(text)).join(', ')}];${wrapper(packageName)}`;
}

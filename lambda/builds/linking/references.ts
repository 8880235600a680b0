import { parseSync } from 'rolldown/utils';
import { PACKAGE_PREFIX } from '../files.ts';
import { isNamed, type Node, walk } from '../own-code/syntax.ts';

/** The exports of one module of a package that own code uses. */
export interface Wanted {
  /** Names that it imports. They must exist. */
  readonly names: Set<string>;
  /** Members of the namespace object (`React.useState`), which are undefined if they do not exist. */
  readonly members: Set<string>;
  /** The namespace object is a value, or the module is imported dynamically. */
  namespace: boolean;
  /** It is exported again as a whole. */
  star: boolean;
}

/** A part of a chunk that is replaced, because it refers to a module of a package. */
export interface PackageReference {
  readonly specifier: string;
  readonly start: number;
  readonly end: number;
  /** `namespace` and `dynamic` import the namespace object, with `local` as its name. */
  readonly kind: 'specifier' | 'statement' | 'namespace' | 'dynamic';
  readonly local: string;
}

/** Adds what a chunk uses of packages, and returns where. */
export function packageReferences(code: string, wanted: Map<string, Wanted>): PackageReference[] {
  const parsed = parseSync('chunk.js', code);
  const references: PackageReference[] = [];
  const use = (request: string | undefined) => {
    if (!request?.startsWith(PACKAGE_PREFIX)) return undefined;
    const specifier = request.slice(PACKAGE_PREFIX.length);
    const entry = wanted.get(specifier) ?? {
      names: new Set<string>(),
      members: new Set<string>(),
      namespace: false,
      star: false,
    };
    wanted.set(specifier, entry);
    return { specifier, entry };
  };
  for (const { moduleRequest, entries, start, end } of parsed.module.staticImports) {
    const used = use(moduleRequest.value);
    if (!used) continue;
    const { specifier, entry } = used;
    let reference: PackageReference = { specifier, ...spanOf(moduleRequest), kind: 'specifier', local: '' };
    if (entries.length === 0) reference = { specifier, start, end, kind: 'statement', local: '' };
    for (const { importName, localName } of entries) {
      if (importName.kind === 'Name') entry.names.add(importName.name ?? '');
      if (importName.kind === 'Default') entry.names.add('default');
      if (importName.kind !== 'NamespaceObject') continue;
      const members = membersOf(localName.value, code, () => parsed.program as unknown as Node);
      for (const member of members ?? []) entry.members.add(member);
      if (members) continue;
      entry.namespace = true;
      reference = { specifier, start, end, kind: 'namespace', local: localName.value };
    }
    references.push(reference);
  }
  for (const { moduleRequest, importName } of parsed.module.staticExports.flatMap(({ entries }) => entries)) {
    const used = use(moduleRequest?.value);
    if (!used || !moduleRequest) continue;
    if (importName.kind === 'Name') used.entry.names.add(importName.name ?? '');
    else used.entry.star = true;
    const reference = {
      specifier: used.specifier,
      ...spanOf(moduleRequest),
      kind: 'specifier',
      local: '',
    } as const;
    // Entries of one statement share its specifier.
    if (references.at(-1)?.start !== reference.start) references.push(reference);
  }
  for (const { start, end, moduleRequest } of parsed.module.dynamicImports) {
    const used = use(code.slice(moduleRequest.start + 1, moduleRequest.end - 1));
    if (!used) continue;
    used.entry.namespace = true;
    references.push({ specifier: used.specifier, start, end, kind: 'dynamic', local: '' });
  }
  return references;
}

const spanOf = ({ start, end }: { start: number; end: number }) => ({ start, end });

/** Returns the members that code reads of a namespace object, or undefined if it uses the object in another way. */
function membersOf(local: string, code: string, program: () => Node): Set<string> | undefined {
  const members = new Set<string>();
  let others = 0;
  // The name is unique among the names of the chunk, so that text decides in most cases.
  const pattern = new RegExp(`(?<![\\w$.])${local.replaceAll('$', '\\$')}(?![\\w$])(?:\\.([\\w$]+))?`, 'g');
  for (const [, member] of code.matchAll(pattern)) {
    if (member === undefined) others++;
    else members.add(member);
  }
  // One occurrence is the import.
  return others === 1 || readsMembersOnly(local, program()) ? members : undefined;
}

/** Reports if each use of a name in a syntax tree reads a member, as in `name.member`. */
function readsMembersOnly(local: string, program: Node): boolean {
  let isOnlyRead = true;
  walk(program, (node, parent, key) => {
    if (isNamed(node, local) && !isMember(parent, key)) isOnlyRead = false;
    return !isOnlyRead;
  });
  return isOnlyRead;
}

function isMember(parent: Node | undefined, key: string): boolean {
  if (parent?.type === 'ImportNamespaceSpecifier') return true;
  if (parent?.type === 'MemberExpression') return !parent.computed;
  return parent?.type === 'Property' && key === 'key' && !parent.computed;
}

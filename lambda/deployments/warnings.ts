/** The characters of a warning in a header and in the item of the deployment, which visits read. */
const WARNING_CHARACTERS = 400;

/** Returns the first warnings as one line of ASCII, which a header can have, or undefined without warnings. */
export function warningOf(warnings: readonly string[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const text = warnings.slice(0, 3).join('. ').replace(NOT_ASCII, '?');
  const more = warnings.length > 3 ? `. And ${warnings.length - 3} more` : '';
  return text.length > WARNING_CHARACTERS ? `${text.slice(0, WARNING_CHARACTERS)}...` : text + more;
}

/** Returns what is known of a version with warnings before those that it has. */
export function withWarnings<About extends { readonly warning?: string }>(
  about: About,
  added: readonly string[],
): About {
  const warning = warningOf([...added, ...(about.warning === undefined ? [] : [about.warning])]);
  return warning === undefined ? about : { ...about, warning };
}

const NOT_ASCII = /[^\x20-\x7e]+/g;

/** The longest path that a warning shows. */
const PATH_CHARACTERS = 60;

/** Returns the warning that names the files of a deploy that visitors do not see; none without such files. */
export function leftOutWarnings(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, 3).map(shortened);
  const others = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return [
    `Left out ${named.join(', ')}${others}: hidden files, repositories and node_modules are not published`,
  ];
}

function shortened(path: string): string {
  const text = path.replace(NOT_ASCII, '?');
  return text.length > PATH_CHARACTERS ? `${text.slice(0, PATH_CHARACTERS)}...` : text;
}

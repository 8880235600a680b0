/** Something that a role may do, as its policy has it. */
export interface Grant {
  /** `GenerationAttemptRole dynamodb:GetItem table/GenerationJobs`: the role, the action, and the resource. */
  readonly text: string;
  readonly used: boolean;
}

/** Why a grant stays that no test uses. */
export interface GrantReason {
  /** Matches the text of grants. */
  readonly grant: RegExp;
  readonly reason: string;
}

export interface GrantReport {
  readonly all: number;
  /** Without use and reason. */
  readonly unexplained: readonly string[];
  /** Reasons that explain no grant without use. */
  readonly stale: readonly GrantReason[];
}

/** Compares what roles may do with what they did. */
export function reportOf(grants: readonly Grant[], reasons: readonly GrantReason[]): GrantReport {
  const unused = grants.filter(({ used }) => !used).map(({ text }) => text);
  const reasonOf = (text: string) => reasons.find(({ grant }) => grant.test(text));
  return {
    all: grants.length,
    unexplained: unused.filter((text) => !reasonOf(text)),
    stale: reasons.filter((reason) => !unused.some((text) => reasonOf(text) === reason)),
  };
}

/**
 * Reads what local clouds noted in their file: see `local/cloud/grants.ts`.
 * @param stack the stack whose roles count; tests also start others, with the same roles
 */
export function readGrants(file: string, stack: string): Grant[] {
  const grants = new Map<string, boolean>();
  for (const line of file.split('\n')) {
    const [kind, role = '', action, resource = ''] = line.split('\t');
    const [, name] = role.split(`:role/${stack}-`);
    if (name === undefined) continue;
    const text = `${withoutHash(name)} ${action} ${shortened(resource, stack)}`;
    grants.set(text, grants.get(text) === true || kind === 'used');
  }
  return [...grants].map(([text, used]) => ({ text, used })).toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

/** Returns the end of an ARN: without partition, region and account, the name of the stack, and hashes of logical ids. */
function shortened(arn: string, stack: string): string {
  const [, , service = '', , , ...rest] = arn.split(':');
  const name = rest.join(':').replaceAll(`${stack}-`, '');
  return arn.startsWith('arn:') ? withoutHash(`${service}:${name}`) : arn;
}

const withoutHash = (text: string) => text.replace(/(?<!\d)[0-9a-f]{8}(?=$|[/:-])/gi, '');

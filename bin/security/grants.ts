/** An action and a resource that the policy of a role allows. */
export interface Grant {
  /** `GenerationAttemptRole dynamodb:GetItem table/GenerationJobs`: the role, the action, and the resource. */
  readonly text: string;
  readonly used: boolean;
}

/** The reason to keep grants that no test uses. */
export interface GrantReason {
  /** Matches the text of grants. */
  readonly grant: RegExp;
  readonly reason: string;
}

export interface GrantReport {
  readonly all: number;
  /** Unused grants without a reason. */
  readonly unexplained: readonly string[];
  /** Reasons that match no unused grant. */
  readonly stale: readonly GrantReason[];
}

/** Compares grants with the reasons to keep unused ones. */
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
 * Reads the file that local clouds write: see `local/cloud/iam.ts`.
 * @param stack the stack whose roles are read; tests also start other stacks, with the same roles
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

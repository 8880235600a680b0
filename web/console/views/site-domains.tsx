import { useEffect, useState } from 'preact/hooks';
import type { DomainResource } from '../../../client/client.ts';
import { addDomain, readDomains, removeDomain } from '../effects/page-settings.ts';
import { DOMAIN_TEXTS, isUnderWay } from '../state/site.ts';
import type { PublishedSite } from '../state/types.ts';
import { useConsole, useProject } from './console.ts';
import { CopyButton } from './copy-button.tsx';

const POLL_MS = 5_000;

/** The domains of the page's owner, with the DNS records to create, if the service has domains. */
export function SiteDomains({ site: { token, domains = [] } }: { site: PublishedSite }) {
  const { data, context } = useConsole();
  const isWaiting = domains.some(isUnderWay);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const controller = new AbortController();
    const timer = setInterval(() => void readDomains(context, controller.signal), POLL_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [context, isWaiting]);
  if (!data.domains) return null;
  const isOwned = token === undefined && context.hasKey;
  return (
    <section aria-label="Domains">
      <h3>Domains</h3>
      {domains.length > 0 && (
        <ul class="rows">
          {domains.map((domain) => (
            <DomainRow key={domain.domain} domain={domain} />
          ))}
        </ul>
      )}
      {isOwned ? (
        <AddForm />
      ) : (
        <p class="note">A page that belongs to an API key can be shown on domains of yours: claim it first.</p>
      )}
    </section>
  );
}

function DomainRow({ domain: { domain, url, state, reason, records } }: { domain: DomainResource }) {
  const { context } = useConsole();
  const isBusy = useProject().busy !== undefined;
  return (
    <li class="domain">
      <div class="bar setting">
        <div>
          {state === 'active' ? (
            <a href={url} target="_blank" rel="noreferrer">
              {domain}
            </a>
          ) : (
            <b>{domain}</b>
          )}
          <small role="status">
            {DOMAIN_TEXTS[state]}
            {reason !== undefined && `: ${reason}`}
          </small>
        </div>
        {(state === 'waiting_for_dns' || state === 'failed') && (
          <button type="button" disabled={isBusy} onClick={() => void addDomain(context, domain)}>
            {state === 'failed' ? 'Try again' : 'Check now'}
          </button>
        )}
        {state !== 'removing' && (
          <button
            type="button"
            aria-label={`Remove ${domain}`}
            disabled={isBusy}
            onClick={() => confirm(`Remove ${domain}?`) && void removeDomain(context, domain)}
          >
            Remove
          </button>
        )}
      </div>
      {state !== 'active' && state !== 'removing' && records.length > 0 && <Records records={records} />}
    </li>
  );
}

function Records({ records }: Pick<DomainResource, 'records'>) {
  return (
    <div class="box records">
      <p>Create these DNS records where the domain is managed, and keep them:</p>
      {records.map(({ type, name, value }) => (
        <dl key={`${type} ${name}`}>
          <dt>{type}</dt>
          <dd>
            <code>{name}</code>
          </dd>
          <dd>
            <code>{value}</code>
          </dd>
          <dd>
            <CopyButton text={value} title={`Copy ${type} value`} />
          </dd>
        </dl>
      ))}
    </div>
  );
}

function AddForm() {
  const { context } = useConsole();
  const { busy } = useProject();
  const [name, setName] = useState('');
  const add = async () => {
    if (await addDomain(context, name.trim())) setName('');
  };
  return (
    <form
      class="bar setting"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <input
        aria-label="Domain of yours"
        placeholder="www.example.com"
        autocapitalize="none"
        spellcheck={false}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" disabled={busy !== undefined || name.trim() === ''}>
        Add domain
      </button>
    </form>
  );
}

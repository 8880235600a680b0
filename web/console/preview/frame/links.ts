import type { PreviewData } from './data.ts';
import type { Page } from './shims.ts';

/** Follows links and forms: to other pages of the project in the preview, to other origins in a new tab. */
export function installLinks(page: Page, report: (message: string) => void): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return;
    const link = event.target.closest('a[href], area[href]');
    const href = link?.getAttribute('href') ?? link?.getAttribute('xlink:href');
    if (link && href) follow(event, link, href, page);
  });
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const submitter = event.submitter as HTMLButtonElement | null;
    const method = submitter?.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get';
    if (event.defaultPrevented || method.toLowerCase() === 'dialog') return;
    event.preventDefault();
    const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
    const url = new URL(action, page.url);
    const { data } = page;
    if (method.toLowerCase() === 'post' && data?.has(url)) return void send(form, submitter, url, page, data);
    if (method.toLowerCase() !== 'get' || url.origin !== location.origin)
      return report(`The form sends to ${action || 'its page'}, which a preview does not`);
    url.search = new URLSearchParams([...new FormData(form, submitter)].map(([k, v]) => [k, String(v)])).toString();
    page.open(url.href);
  });
}

/** Sends a form to the data of the project, and shows the page that follows. */
async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  url: URL,
  { open, url: pageUrl }: Page,
  data: PreviewData,
): Promise<void> {
  const fields = new FormData(form, submitter);
  const isMultipart = form.enctype === 'multipart/form-data';
  const pairs = [...fields].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
  const body = isMultipart ? fields : new URLSearchParams(pairs);
  const response = await data.submit(url, new Request(url, { method: 'POST', body }), pageUrl);
  const to = response.headers.get('Location');
  if (to !== null) return open(new URL(to, pageUrl).href);
  const shown = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.replaceChild(document.adoptNode(shown.documentElement), document.documentElement);
}

function follow(event: MouseEvent, link: Element, href: string, { url: pageUrl, resources, open }: Page): void {
  // Fragments of the page, `mailto:` and the like work as they are.
  if (href.startsWith('#') || !URL.canParse(href, pageUrl)) return;
  const url = new URL(href, pageUrl);
  if (!/^https?:$/.test(url.protocol)) return;
  if (url.origin !== location.origin) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  } else if (link.hasAttribute('download')) {
    link.setAttribute('href', resources.at(href, pageUrl) ?? href);
  } else {
    event.preventDefault();
    const here = new URL(pageUrl);
    if (url.hash !== '' && url.pathname === here.pathname && url.search === here.search) location.hash = url.hash;
    else open(url.href);
  }
}

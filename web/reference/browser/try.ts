import type { Call, Input } from '../browser-data.ts';
import { requestOf } from './call.ts';
import { announce, create, find, onClick } from './page.ts';

/** Values for later requests, in memory only: deployed pages can share the origin, and with it all storage. */
const memory = new Map<string, string>();

/** Makes the buttons open a form that sends the request of their operation. */
export function initTry(calls: Readonly<Record<string, Call>>): void {
  const dialog = find<HTMLDialogElement>('#try');
  const forms = new Map<string, HTMLFormElement>();
  onClick('#try .close', () => dialog.close());
  onClick('[data-try]', ({ dataset: { try: name = '' } }) => {
    const call = calls[name];
    if (!call) return;
    const form = forms.get(name) ?? createForm(call);
    forms.set(name, form);
    for (const one of form.querySelectorAll<HTMLInputElement>('[data-memory]'))
      one.value ||= memory.get(one.dataset.memory ?? '') ?? '';
    dialog.replaceChildren(form);
    dialog.showModal();
  });
}

function createForm(call: Call): HTMLFormElement {
  const { title, method, path } = call;
  const credential = create('input', { type: 'password', autocomplete: 'off' });
  credential.dataset.memory = 'credential';
  const controls = new Map(call.inputs.map((input) => [input, control(input, call.group)]));
  const close = create('button', { type: 'button', className: 'close' }, 'Close');
  const send = create('button', { className: 'primary' }, 'Send');
  const output = create('div');
  const label = create('span', { className: `method ${method.toLowerCase()}` }, method);
  const form = create(
    'form',
    { noValidate: true },
    create('div', { className: 'bar' }, create('h2', { id: 'try-title' }, title), close),
    create('p', { className: 'route' }, label, create('code', {}, path)),
    labelField('API key or access token', 'kept in memory until you leave this page', credential),
    ...[...controls].map(([{ name, required }, one]) => labelField(name, required ? 'required' : '', one)),
    send,
    output,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isDestructive = method === 'DELETE' || path.endsWith('/rollback');
    if (isDestructive && !confirm(`${title}? This cannot be undone here, and others may see it.`)) return;
    memory.set('credential', credential.value.trim());
    send.disabled = true;
    const values = new Map([...controls].map(([input, { value }]) => [input, value]));
    await perform(call, values, output);
    send.disabled = false;
  });
  return form;
}

const labelField = (name: string, hint: string, element: HTMLElement) =>
  create('label', {}, create('span', {}, name, ' ', create('small', {}, hint)), element);

function control({ name, values, value = '', required }: Input, group: string) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const choices = [...(required ? [] : ['']), ...(values ?? [])];
  const element = values
    ? create('select', {}, ...choices.map((one) => create('option', {}, one)))
    : create(text.includes('\n') ? 'textarea' : 'input', { autocomplete: 'off', spellcheck: false });
  element.value = text;
  if (/id$|Token$/.test(name)) element.dataset.memory = `${group} ${name}`;
  return element;
}

/** Sends a request and shows its response, or what is wrong. */
async function perform(call: Call, values: ReadonlyMap<Input, string>, output: HTMLElement): Promise<void> {
  const result = create('p', { className: 'result' }, 'Sending …');
  output.replaceChildren(result);
  const began = performance.now();
  try {
    const { url, init } = requestOf(call, values, memory.get('credential') ?? '', location.origin);
    const response = await fetch(url, init);
    const { status, statusText, headers } = response;
    const text = await response.text();
    const body = headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text) : undefined;
    result.textContent = `${status} ${statusText} in ${Math.round(performance.now() - began)} ms`;
    result.classList.toggle('failed', !response.ok);
    const fields = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const head = create('pre', { tabIndex: 0, ariaLabel: 'Headers' }, fields);
    const content = body ? JSON.stringify(body, null, 2) : text;
    const shown = text ? [create('pre', { tabIndex: 0, ariaLabel: 'Body' }, content)] : [];
    output.append(...shown, create('details', { open: true }, create('summary', {}, 'Headers'), head));
    result.scrollIntoView();
    const remember = (name: string, value: string | null) => value && memory.set(`${call.group} ${name}`, value);
    remember('id', body?.id ?? headers.get('X-Generation-Id'));
    remember('asset_id', body?.asset_id);
    remember('X-Deployment-Token', headers.get('X-Deployment-Token'));
  } catch (error) {
    result.textContent = (error as Error).message;
    result.classList.add('failed');
  }
  announce(result.textContent ?? '');
}

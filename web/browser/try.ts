import type { Call, Input } from '../browser-data.ts';
import { isJson, requestOf } from './call.ts';
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
    for (const control of form.querySelectorAll<HTMLInputElement>('[data-memory]'))
      control.value ||= memory.get(control.dataset.memory ?? '') ?? '';
    dialog.replaceChildren(form);
    dialog.showModal();
  });
}

function createForm(call: Call): HTMLFormElement {
  const credential = create('input', { type: 'password', autocomplete: 'off' });
  credential.dataset.memory = 'credential';
  const controls = new Map(call.inputs.map((input) => [input, control(input, call.group)]));
  const fields = [...controls].map(([{ name, required }, element]) =>
    labeled(name, required ? 'required' : '', element),
  );
  const send = create('button', { className: 'primary' }, 'Send');
  const confirm = create(
    'button',
    { className: 'primary danger', value: 'confirmed', hidden: true },
    `${call.title}: yes, send`,
  );
  const output = create('div');
  const form = create(
    'form',
    { noValidate: true },
    create(
      'div',
      { className: 'heading' },
      create('h2', { id: 'try-title' }, call.title),
      create('button', { type: 'button', className: 'close' }, 'Close'),
    ),
    create(
      'p',
      { className: 'route' },
      create('span', { className: `method ${call.method.toLowerCase()}` }, call.method),
      create('code', {}, call.path),
    ),
    labeled('API key or access token', 'kept in memory until you leave this page', credential),
    ...fields,
    create('p', {}, send, confirm),
    output,
  );
  const ask = (asking: boolean) => {
    confirm.hidden = !asking;
    send.hidden = asking;
    (asking ? confirm : send).focus();
    if (asking) announce('This changes what others see, and cannot be undone here. Send it?');
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isConfirmed = event.submitter === confirm;
    if (call.destructive && !isConfirmed) return ask(true);
    if (isConfirmed) ask(false);
    memory.set('credential', credential.value);
    send.disabled = true;
    const values = new Map([...controls].map(([input, { value }]) => [input, value]));
    await perform(call, output, () => requestOf(call, values, credential.value.trim(), location.origin));
    send.disabled = false;
  });
  return form;
}

const labeled = (name: string, hint: string, element: HTMLElement) =>
  create('label', {}, create('span', {}, name, ' ', create('small', {}, hint)), element);

function control({ name, type, values, value = '', required }: Input, group: string) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const choices = [...(required ? [] : ['']), ...(values ?? [])];
  const isLong = isJson(type) && text.includes('\n');
  const element = values
    ? create('select', {}, ...choices.map((one) => create('option', {}, one)))
    : create(isLong ? 'textarea' : 'input', { autocomplete: 'off', spellcheck: false });
  element.value = text;
  if (/id$|Token$/.test(name)) element.dataset.memory = `${group} ${name}`;
  return element;
}

/** Sends a request and shows its response, or what is wrong. */
async function perform(
  { group }: Call,
  output: HTMLElement,
  prepare: () => ReturnType<typeof requestOf>,
): Promise<void> {
  const result = create('p', { className: 'result' }, 'Sending …');
  output.replaceChildren(result);
  const began = performance.now();
  try {
    const { url, init } = prepare();
    const response = await fetch(url, init);
    const text = await response.text();
    const isJsonBody = response.headers.get('Content-Type')?.startsWith('application/json');
    const body = isJsonBody ? JSON.parse(text) : undefined;
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    result.textContent = `${response.status} ${response.statusText} in ${Math.round(performance.now() - began)} ms`;
    result.classList.toggle('failed', !response.ok);
    const shown = create(
      'pre',
      { tabIndex: 0, ariaLabel: 'Body' },
      isJsonBody ? JSON.stringify(body, null, 2) : text,
    );
    const head = create('pre', { tabIndex: 0, ariaLabel: 'Headers' }, headers);
    output.append(
      create('details', { open: true }, create('summary', {}, 'Headers'), head),
      ...(text ? [shown] : []),
    );
    const seen = {
      id: body?.id,
      asset_id: body?.asset_id,
      'X-Deployment-Token': response.headers.get('X-Deployment-Token'),
    };
    if (response.ok)
      for (const [name, value] of Object.entries(seen)) if (value) memory.set(`${group} ${name}`, value);
  } catch (error) {
    result.textContent = (error as Error).message;
    result.classList.add('failed');
  }
  announce(result.textContent ?? '');
}

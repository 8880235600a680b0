import { mailTo, problemsOf } from './message.js';
import { load, save } from './store.js';

/** Adds to a contact form: sentences about what is wrong, and a draft that survives until it is sent. */
export function checkContact(form) {
  const address = form.getAttribute('action').replace('mailto:', '');
  const inputs = [...form.querySelectorAll('input, textarea')];
  const values = () => Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  const notes = Object.fromEntries(inputs.map((input) => [input.name, noteBelow(input)]));
  const status = form.querySelector('.hint');
  const draft = load('draft', {});

  function mark(problems) {
    for (const input of inputs) {
      const problem = problems[input.name] ?? '';
      notes[input.name].textContent = problem;
      input.setAttribute('aria-invalid', String(problem !== ''));
    }
  }

  form.noValidate = true;
  for (const input of inputs) input.value = draft[input.name] ?? '';
  form.addEventListener('input', ({ target }) => {
    save('draft', values());
    // Forgiven as soon as it is right, blamed only when it is sent.
    if (target.ariaInvalid === 'true') mark({ ...problemsOf(values()) });
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const problems = problemsOf(values());
    mark(problems);
    const wrong = inputs.find(({ name }) => problems[name]);
    if (wrong) return wrong.focus();
    status.setAttribute('role', 'status');
    status.textContent = 'Your e-mail program opens with the message. Send it there.';
    save('draft', {});
    location.href = mailTo(address, values());
  });
}

function noteBelow(input) {
  const note = Object.assign(document.createElement('span'), { className: 'problem', id: `${input.name}-problem` });
  input.setAttribute('aria-describedby', note.id);
  input.after(note);
  return note;
}

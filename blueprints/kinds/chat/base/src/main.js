import { answerTo } from './answers.js';
import { $, make } from './dom.js';
import { load, save } from './store.js';
import { format, lang, texts } from './texts.js';

const clock = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit' });
const FIRST = [texts.first1, texts.first2, texts.first3];
const begun = (name, at) => ({ name, unread: 0, messages: [{ text: FIRST[at % FIRST.length], time: Date.now() }] });
const conversations = load('conversations', '{{names}}'.map(begun));
let current = conversations[0];
/** The conversation whose messages are in the log. */
let shown;
/** How many answers each conversation waits for. */
const typing = new Map();

function show() {
  save('conversations', conversations);
  const focused = [...$('list').children].findIndex((item) => item.contains(document.activeElement));
  $('list').replaceChildren(...conversations.map(entry));
  $('list').children[focused]?.firstChild.focus();
  $('who').textContent = current.name;
  // A screen reader reads what is added to the log, so only new messages are.
  if (shown !== current) $('log').replaceChildren();
  shown = current;
  $('log').append(...current.messages.slice($('log').children.length).map(bubble));
  $('scroll').scrollTop = $('scroll').scrollHeight;
  $('typing').textContent = typing.get(current) ? format(texts.typing, current) : '';
}

function entry(conversation) {
  const { name, messages, unread } = conversation;
  const last = typing.get(conversation) ? format(texts.typing, conversation) : (messages.at(-1)?.text ?? '');
  const button = make(
    'button',
    { type: 'button', onclick: () => open(conversation) },
    make('span', { className: 'face', textContent: [...name][0].toUpperCase(), ariaHidden: 'true' }),
    make('strong', { textContent: name, dir: 'auto' }),
    ...(unread ? [make('span', { className: 'unread', textContent: format(texts.unread, { n: unread }) })] : []),
    make('span', { className: 'last', textContent: last, dir: 'auto' }),
  );
  button.ariaCurrent = String(conversation === current);
  return make('li', {}, button);
}

function bubble({ text, mine, time }) {
  const when = make('time', { dateTime: new Date(time).toISOString(), textContent: clock.format(time) });
  return make('li', { className: mine ? 'mine' : '', dir: 'auto' }, text, when);
}

function open(conversation) {
  current = conversation;
  current.unread = 0;
  document.querySelector('main').dataset.view = 'talk';
  show();
  $('text').focus();
}

function add(conversation, message) {
  conversation.messages.push({ ...message, time: Date.now() });
  if (conversation !== current) conversation.unread += 1;
}

function send(text) {
  const conversation = current;
  const count = conversation.messages.filter(({ mine }) => mine).length;
  add(conversation, { text, mine: true });
  typing.set(conversation, (typing.get(conversation) ?? 0) + 1);
  setTimeout(() => {
    typing.set(conversation, typing.get(conversation) - 1);
    add(conversation, { text: answerTo(text, count) });
    show();
  }, 900 + Math.min(1500, text.length * 20));
  show();
}

$('composer').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = $('text').value.trim();
  $('composer').reset();
  if (text) send(text);
  $('text').focus();
});
$('text').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  $('composer').requestSubmit();
});
$('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = $('name').value.trim();
  if (!name) return;
  conversations.unshift(begun(name, 0));
  $('add').reset();
  open(conversations[0]);
});
$('back').addEventListener('click', () => {
  document.querySelector('main').dataset.view = 'list';
  $('list').querySelector('[aria-current="true"]').focus();
});
show();

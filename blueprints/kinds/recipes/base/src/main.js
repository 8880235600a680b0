import { $, make } from './dom.js';
import { all, put, remove } from './recipes.js';
import { scale } from './scale.js';
import { load, save } from './store.js';
import { format, lang, texts } from './texts.js';

const form = $('form').elements;
const linesOf = (text, separator) => text.split(separator).map((line) => line.trim()).filter(Boolean);
const servings = (n) => format(texts.serves, { n });
let tag = '';
let serves = 1;
/** The recipe that is open, or undefined in the list. */
let recipe;
let ticked = load('ticked', []);

function card({ id, name, serves: usual, sample }) {
  const facts = make('span', { className: 'row meta' }, servings(usual));
  if (sample) facts.append(make('span', { className: 'badge' }, texts.sample));
  return make('li', {}, make('a', { href: `#${id}` }, make('span', { dir: 'auto' }, name), facts));
}

function showList() {
  const tags = [...new Set(all().flatMap((one) => one.tags))].sort((a, b) => a.localeCompare(b, lang));
  if (!tags.includes(tag)) tag = '';
  const choices = ['', ...tags].map((value) => {
    const button = make('button', { type: 'button', value }, value || texts.all);
    button.setAttribute('aria-pressed', String(value === tag));
    return button;
  });
  $('tags').replaceChildren(...(tags.length > 0 ? choices : []));
  const wanted = $('search').value.trim().toLocaleLowerCase(lang);
  const holds = ({ name, ingredients }) => [name, ...ingredients].join('\n').toLocaleLowerCase(lang).includes(wanted);
  const found = all().filter((one) => (!tag || one.tags.includes(tag)) && holds(one));
  $('cards').replaceChildren(...found.map(card));
  $('none').hidden = found.length > 0;
}

/** A line with a checkbox, whose state is stored under its key. */
function line(text, key) {
  const box = make('input', { type: 'checkbox', checked: ticked.includes(key) });
  box.addEventListener('change', () => {
    ticked = box.checked ? [...ticked, key] : ticked.filter((one) => one !== key);
    save('ticked', ticked);
  });
  return make('li', {}, make('label', {}, box, make('span', { dir: 'auto' }, text)));
}

function showRecipe() {
  const { id, name, ingredients, steps, sample } = recipe;
  const factor = serves / recipe.serves;
  $('name').textContent = name;
  $('serves').textContent = servings(serves);
  $('fewer').disabled = serves === 1;
  $('badge').textContent = texts.sample;
  $('badge').hidden = !sample;
  $('empty').textContent = ingredients.length + steps.length > 0 ? '' : texts.empty;
  $('ingredients').replaceChildren(...ingredients.map((text, at) => line(scale(text, factor, lang), `${id} i${at}`)));
  $('steps').replaceChildren(...steps.map((text, at) => line(text, `${id} s${at}`)));
}

function show() {
  recipe = all().find(({ id }) => `#${id}` === location.hash);
  $('list').hidden = Boolean(recipe);
  $('recipe').hidden = !recipe;
  if (!recipe) return showList();
  serves = recipe.serves;
  showRecipe();
}

function openEditor(values, title) {
  const { name, serves: usual, tags, ingredients, steps } = values;
  const fields = { name, serves: usual, tags: tags.join(', '), ingredients: ingredients.join('\n'), steps: steps.join('\n') };
  for (const [key, value] of Object.entries(fields)) form[key].value = value;
  $('editor-title').textContent = title;
  $('form').onsubmit = (event) => {
    event.preventDefault();
    put({
      id: values.id ?? `r-${Date.now().toString(36)}`,
      name: form.name.value.trim(),
      serves: form.serves.valueAsNumber,
      tags: linesOf(form.tags.value, ','),
      ingredients: linesOf(form.ingredients.value, '\n'),
      steps: linesOf(form.steps.value, '\n'),
    });
    $('editor').close();
    show();
  };
  $('editor').showModal();
}

function setServings(n) {
  serves = n;
  showRecipe();
}

$('tags').addEventListener('click', ({ target }) => {
  if (!target.matches('button')) return;
  tag = target.value;
  showList();
  [...$('tags').children].find(({ value }) => value === tag).focus();
});
$('search').addEventListener('input', showList);
$('fewer').addEventListener('click', () => setServings(serves - 1));
$('more').addEventListener('click', () => setServings(serves + 1));
$('new').addEventListener('click', ({ target }) =>
  openEditor({ name: '', serves: 4, tags: [], ingredients: [], steps: [] }, target.textContent),
);
$('edit').addEventListener('click', () => openEditor(recipe, recipe.name));
$('cancel').addEventListener('click', () => $('editor').close());
$('remove').addEventListener('click', () => {
  if (!confirm(format(texts.confirm, { name: recipe.name }))) return;
  remove(recipe.id);
  location.hash = '';
});
addEventListener('hashchange', () => {
  show();
  if (recipe) $('name').focus();
});
show();

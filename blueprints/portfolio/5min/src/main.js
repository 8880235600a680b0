import { categoriesOf, neighbour } from './gallery.js';

const $ = (id) => document.getElementById(id);
const articles = [...document.querySelectorAll('#work article')];
const projects = articles.map((article) => ({
  article,
  name: article.querySelector('h2').textContent,
  text: article.querySelector('p').textContent,
  category: article.querySelector('.category').textContent,
}));
let category = '';
let opened = 0;

const shown = () => projects.filter((project) => !category || project.category === category);

function filter() {
  for (const project of projects) project.article.hidden = !shown().includes(project);
  for (const button of $('categories').children) button.setAttribute('aria-pressed', String(button.value === category));
  $('shown').textContent = category ? `${shown().length} of ${projects.length} projects` : '';
}

function show(index) {
  opened = index;
  const { article, name, text, category: kind } = shown()[index];
  $('detail-art').replaceChildren(article.querySelector('svg').cloneNode(true));
  $('detail-name').textContent = name;
  $('detail-category').textContent = kind;
  $('detail-text').textContent = text;
  $('detail-place').textContent = `${index + 1} of ${shown().length}`;
}

const go = (step) => show(neighbour(opened, step, shown().length));

for (const name of ['', ...categoriesOf(projects)]) {
  const button = Object.assign(document.createElement('button'), { type: 'button', value: name, textContent: name || 'All' });
  button.addEventListener('click', () => {
    category = name;
    filter();
  });
  $('categories').append(button);
}
$('categories').hidden = categoriesOf(projects).length < 2;

for (const project of projects) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'open', textContent: project.name });
  project.article.querySelector('h2').replaceChildren(button);
  // The whole tile can be pressed; the button is there for keyboards and screen readers.
  project.article.addEventListener('click', () => {
    show(shown().indexOf(project));
    $('detail').showModal();
  });
}
$('previous').addEventListener('click', () => go(-1));
$('next').addEventListener('click', () => go(1));
$('detail').addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) go(step);
});

filter();

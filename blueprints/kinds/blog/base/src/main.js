// Without this script the page shows the list and all posts below each other.
const list = document.getElementById('list');
const tags = document.getElementById('tags');
const articles = [...document.querySelectorAll('article')];
const title = document.title;

/** Shows the article that the address names, or the list. */
function show() {
  const open = articles.find(({ id }) => `#${id}` === location.hash);
  list.hidden = Boolean(open);
  for (const article of articles) article.hidden = article !== open;
  const heading = open?.querySelector('h2');
  document.title = heading ? `${heading.textContent} · ${title}` : title;
  return heading;
}

tags.addEventListener('click', ({ target }) => {
  if (!target.matches('button')) return;
  for (const button of tags.children) button.setAttribute('aria-pressed', String(button === target));
  for (const item of list.querySelectorAll('li')) item.hidden = target.value !== '' && item.dataset.tag !== target.value;
});
addEventListener('hashchange', () => {
  show()?.focus();
  scrollTo(0, 0);
});
tags.hidden = tags.children.length < 3;
show();

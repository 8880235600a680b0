import { sentenceFor } from './site-data.js';
import { $, make } from './dom.js';
import { sharesOf } from './shares.js';
import { format, texts } from './texts.js';
import { OPTIONS, ownVote, tally, vote } from './votes.js';

const REFRESH_MS = 10_000;
const form = $('form');

function showResult(votes) {
  const shares = sharesOf(votes, OPTIONS);
  const total = shares.reduce((sum, share) => sum + share.votes, 0);
  $('total').textContent = total === 0 ? texts.noVotes : format(texts.votes, { n: total });
  $('result').replaceChildren(
    ...shares.map(({ option, votes: n, percent }) =>
      make(
        'div',
        {},
        make('dt', { dir: 'auto' }, option),
        make('dd', {}, `${n} · ${percent} %`),
        make('dd', {}, make('progress', { max: 100, value: percent, ariaLabel: option })),
      ),
    ),
  );
}

/** Shows which option this visitor has chosen. */
function showOwn(own) {
  if (!own) return;
  for (const radio of form.elements.choice) radio.checked = radio.value === own.choice;
  /* #shared */
  form.elements.vote.disabled = true;
  $('status').textContent = format(texts.voted, own);
  /* /shared */
  /* #ownOrigins */
  form.elements.vote.textContent = texts.change;
  $('status').textContent = format(texts.voted, own);
  /* /ownOrigins */
}

async function refresh() {
  try {
    showResult(await tally());
  } catch {
    $('total').textContent = texts.noResult;
  }
}

form.addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  const choice = new FormData(form).get('choice');
  try {
    await vote(choice);
    showOwn({ choice });
  } catch (error) {
    $('status').textContent = sentenceFor(error);
  }
  refresh();
});

refresh();
setInterval(() => document.hidden || refresh(), REFRESH_MS);
ownVote().then(showOwn, () => {});

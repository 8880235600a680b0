import { $ } from './dom.js';
import { keepBest, show } from './shell.js';
import { load } from './store.js';
import { texts } from './texts.js';

/** Milliseconds that a game advances at once at most: a slow frame must not make anything jump. */
const LONGEST = 50;

/** Returns the values of colour variables of the page, which a canvas cannot read itself. */
export function colors(canvas, ...names) {
  const style = getComputedStyle(canvas);
  return names.map((name) => {
    canvas.style.color = `var(${name})`;
    return style.color;
  });
}

/**
 * Plays games one after the other, with a pause when the page is hidden.
 * @param create returns a new game: `advance(milliseconds)`, `over`, `score`, `numbers` to show, and `ending`, its last text
 * @param draw called with the canvas and the game after every change
 * @returns the running game and whether it is being played
 */
export function runStage(create, draw) {
  const stage = { game: create(), playing: false };
  let last = 0;

  function refresh() {
    draw($('board'), stage.game);
    show({ ...stage.game.numbers, score: stage.game.score, best: Math.max(stage.game.score, load('best', 0)) });
  }

  function frame(now) {
    if (!stage.playing) return;
    stage.game.advance(Math.min(Math.max(now - last, 0), LONGEST));
    last = now;
    refresh();
    if (stage.game.over) finish();
    else requestAnimationFrame(frame);
  }

  function play() {
    if (stage.game.over) stage.game = create();
    $('overlay').hidden = true;
    stage.playing = true;
    last = performance.now();
    refresh();
    requestAnimationFrame(frame);
  }

  function stop(message, action) {
    stage.playing = false;
    $('overlay').hidden = false;
    show({ message, play: action });
    $('play').focus();
  }

  function finish() {
    const { score, ending } = stage.game;
    stop(keepBest(score) ? `${ending} ${texts.newBest}` : ending, texts.playAgain);
  }

  $('play').addEventListener('click', play);
  document.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || !stage.playing) return;
    event.preventDefault();
    stop(texts.paused, texts.resume);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && stage.playing) stop(texts.paused, texts.resume);
  });
  // A canvas keeps its colours when the theme changes.
  new MutationObserver(refresh).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refresh);
  refresh();
  return stage;
}

/** The time for one question. `onTick(left, share)` gets seconds and what is left of the whole, `onEnd()` is called once. */
export class Clock {
  #timer;

  start(seconds, onTick, onEnd) {
    this.stop();
    const end = Date.now() + seconds * 1000;
    const look = () => {
      const left = Math.max(0, end - Date.now()) / 1000;
      onTick(Math.ceil(left), left / seconds);
      if (left > 0) return;
      this.stop();
      onEnd();
    };
    this.#timer = setInterval(look, 100);
    look();
  }

  stop() {
    clearInterval(this.#timer);
  }
}

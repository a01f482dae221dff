/** A clock that only moves when a test sets it. */
export class TestClock {
  #now = new Date();
  readonly now = () => this.#now;

  set(now: Date): void {
    this.#now = now;
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }): void {
    const sum = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
    this.#now = new Date(this.#now.getTime() + sum);
  }
}

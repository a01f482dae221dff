/** Holds rows back until all that came before them are there, so that they are written in the order of a real store. */
export class InTimeOrder<Row extends { created_at: string }> {
  #waiting: Row[] = [];

  add(rows: Row[]): void {
    this.#waiting.push(...rows);
  }

  /** Takes out those up to this time, or all, the oldest first. */
  take(until?: string): Row[] {
    const isDue = (row: Row) => until === undefined || row.created_at <= until;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((row) => !isDue(row));
    return due.sort((one, other) => one.created_at.localeCompare(other.created_at));
  }
}

/** What is to happen, by when: a binary heap. Of what happens at the same moment, what was noted first comes first. */
export class Agenda<T> {
  readonly #heap: Entry<T>[] = [];
  #serial = 0;

  /** Never is not noted. */
  add(at: number, item: T): void {
    if (!Number.isFinite(at)) return;
    this.#serial += 1;
    this.#heap.push({ at, serial: this.#serial, item });
    this.#rise(this.#heap.length - 1);
  }

  first(): { readonly at: number; readonly item: T } | undefined {
    return this.#heap[0];
  }

  removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (this.#isBefore(child, least)) least = child;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return false;
    return left.at < right.at || (left.at === right.at && left.serial < right.serial);
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }
}

interface Entry<T> {
  readonly at: number;
  readonly serial: number;
  readonly item: T;
}

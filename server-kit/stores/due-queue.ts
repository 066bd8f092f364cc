/** Items by due time, earliest first. Adding and taking cost the logarithm of their number. */
export type DueQueue<Item> = {
  /** Adds an item; an earlier entry of the item is then out of date. */
  add: (item: Item, dueAt: number) => void;
  /** Removes and returns the earliest item that is due; `undefined` if there is none. */
  take: (now: number) => Item | undefined;
};

type Entry<Item> = { item: Item; dueAt: number };

/** Out-of-date entries are dropped when they are due, or when they outnumber the others by this many. */
const sparedEntries = 1000;

/**
 * Creates an empty queue, as a binary heap.
 *
 * @param isCurrent whether the item is still due at that time; otherwise the entry is out of date
 */
export function createDueQueue<Item>(isCurrent: (item: Item, dueAt: number) => boolean): DueQueue<Item> {
  let heap: Entry<Item>[] = [];
  let sizeToTidy = sparedEntries;

  const tidy = (): void => {
    heap = heap.filter(({ item, dueAt }) => isCurrent(item, dueAt));
    // A sorted list is a heap.
    heap.sort((left, right) => left.dueAt - right.dueAt);
    sizeToTidy = 2 * heap.length + sparedEntries;
  };

  return {
    add(item, dueAt) {
      heap.push({ item, dueAt });
      moveUp(heap, heap.length - 1);
      if (heap.length > sizeToTidy) tidy();
    },
    take(now) {
      for (let [first] = heap; first !== undefined && first.dueAt <= now; [first] = heap) {
        removeFirst(heap);
        if (isCurrent(first.item, first.dueAt)) return first.item;
      }
      return undefined;
    },
  };
}

/** A missing entry is later than all others. */
const dueAtOf = (heap: readonly Entry<unknown>[], index: number): number => heap[index]?.dueAt ?? Infinity;

function swap<Item>(heap: Entry<Item>[], left: number, right: number): void {
  const [one, other] = [heap[left], heap[right]];
  if (one === undefined || other === undefined) return;
  heap[left] = other;
  heap[right] = one;
}

function moveUp(heap: Entry<unknown>[], from: number): void {
  for (let index = from; index > 0; ) {
    const parent = (index - 1) >> 1;
    if (dueAtOf(heap, parent) <= dueAtOf(heap, index)) return;
    swap(heap, parent, index);
    index = parent;
  }
}

function removeFirst(heap: Entry<unknown>[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let index = 0; ; ) {
    const left = 2 * index + 1;
    const child = dueAtOf(heap, left + 1) < dueAtOf(heap, left) ? left + 1 : left;
    if (dueAtOf(heap, child) >= dueAtOf(heap, index)) return;
    swap(heap, index, child);
    index = child;
  }
}

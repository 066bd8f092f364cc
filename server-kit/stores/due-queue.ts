/** Items by when they are due, the earliest first. Adding and taking cost as much as the logarithm of how many there are. */
export type DueQueue<Item> = {
  /** The entry that the item had before is out of date from now on. */
  add: (item: Item, dueAt: number) => void;
  /** The earliest item that is due, and takes it out; `undefined` where none is. */
  take: (now: number) => Item | undefined;
};

type Entry<Item> = { item: Item; dueAt: number };

/** Out-of-date entries are dropped when their time has come, or when they are more than the others and these. */
const sparedEntries = 1000;

/**
 * Creates an empty queue, as a binary heap.
 *
 * @param isCurrent whether the item is still to be taken at that time: an entry that is not is out of date
 */
export function createDueQueue<Item>(isCurrent: (item: Item, dueAt: number) => boolean): DueQueue<Item> {
  let heap: Entry<Item>[] = [];
  let sizeToTidy = sparedEntries;

  const tidy = (): void => {
    heap = heap.filter(({ item, dueAt }) => isCurrent(item, dueAt));
    // A list in this order is a heap.
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

/** Where nothing is, something is later than everything. */
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

import { createCanonical } from './canonical.ts';
import { findBroken } from './invariants.ts';
import { startsOf } from './starts.ts';
import { stepsOf } from './steps.ts';
import type { Broken, Setup, World } from './world.ts';

export type SearchOptions = {
  setup: Setup;
  /** The most steps of a history; infinite to search until no new state is found. */
  depth: number;
  /** The search ends after this many states. */
  states: number;
  /** Called after each step of all histories, with the states so far. */
  onStep?: (steps: number, states: number) => void;
};

export type SearchResult = {
  states: number;
  /** The number of steps of the longest histories. */
  depth: number;
  /** Whether every state was found that can be reached. */
  isComplete: boolean;
  /** The first invariant that was broken, with a shortest history that leads to it. */
  finding: { broken: Broken; history: readonly string[] } | null;
};

/** A state, and the step that has led to it. Only those of the last two depths keep their world. */
type Node = { before: Node | null; label: string };
type Open = { node: Node; world: World };

/** Searches breadth-first, from all starts, for a state that breaks an invariant, so that its history is a shortest one. */
export function search({ setup, depth, states, onStep }: SearchOptions): SearchResult {
  const canonicalOf = createCanonical();
  const [seen, checked] = [new Set<string>(), new Set<string>()];
  let open: Open[] = [];
  let steps = 0;
  const add = (next: Open[], world: World, node: Node): SearchResult['finding'] => {
    const { world: canonical, key, recordKey } = canonicalOf(world);
    if (world.broken === null && seen.has(key)) return null;
    seen.add(key);
    next.push({ world: canonical, node });
    // Operations that are under way break nothing before their next step.
    if (world.broken === null && checked.has(recordKey)) return null;
    checked.add(recordKey);
    const broken = findBroken(canonical, setup);
    return broken && { broken, history: historyOf(node) };
  };
  const result = (finding: SearchResult['finding']): SearchResult => ({
    states: seen.size,
    depth: steps,
    isComplete: finding === null && open.length === 0,
    finding,
  });
  for (const [at, world] of startsOf(setup).entries()) {
    const finding = add(open, world, { before: null, label: `start ${at + 1}` });
    if (finding !== null) return result(finding);
  }
  while (open.length > 0 && steps < depth) {
    const next: Open[] = [];
    steps++;
    for (const { node, world } of open) {
      for (const step of stepsOf(world, setup)) {
        if (step.world === world) continue;
        const finding = add(next, step.world, { before: node, label: step.label });
        if (finding !== null) return result(finding);
      }
      if (seen.size >= states) return result(null);
    }
    open = next;
    onStep?.(steps, seen.size);
  }
  return result(null);
}

const historyOf = (node: Node): string[] =>
  node.before === null ? [node.label] : [...historyOf(node.before), node.label];

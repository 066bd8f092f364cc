/** A node of a plan, as PostgreSQL's JSON has it. Its blocks include those of its children. */
export type PlanNode = {
  'Node Type': string;
  'Subplan Name'?: string;
  'CTE Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: readonly PlanNode[];
};

/** Returns how many pages a statement has read, from memory or disk: its buffers. */
export function buffersOf(plan: PlanNode): number {
  const nodes = flatten(plan);
  const scanned = new Set(nodes.map((node) => node['CTE Name']));
  // A change that no other part reads runs after the rest of the statement, and is not counted there.
  const last = nodes.filter((node) => {
    const [, name] = /^CTE (.*)$/.exec(node['Subplan Name'] ?? '') ?? [];
    return name !== undefined && node['Node Type'] === 'ModifyTable' && !scanned.has(name);
  });
  return [plan, ...last].reduce((sum, node) => sum + blocksOf(node), 0);
}

const blocksOf = (node: PlanNode): number =>
  (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

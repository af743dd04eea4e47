import { formatPoints, tableOf } from "@gridlock/report";

/** The groups of strategies by the order of their e and m, as the paper ranks them, best first. */
const GROUPS: readonly [name: string, has: (player: string) => boolean][] = [
  ["e before m", (player) => /e.*m/.test(player)],
  ["m before e", (player) => /m.*e/.test(player)],
  ["m without e", (player) => /m/.test(player) && !/e/.test(player)],
  ["e without m", (player) => /e/.test(player) && !/m/.test(player)],
  ["neither", (player) => !/[em]/.test(player)],
];

/** Returns a table of the groups in the paper's order, given all strategies from best to worst. */
export function rankingTable(
  strategies: readonly { readonly player: string; readonly mean: number }[],
): string {
  const groups = GROUPS.map(([name, has]) => {
    const members = strategies.filter(({ player }) => has(player));
    const ranks = members.map((member) => strategies.indexOf(member) + 1);
    return { name, means: members.map(({ mean }) => mean), ranks };
  });
  return tableOf(groups, [
    ["strategies", ({ name }) => name],
    ["number", ({ means }) => means.length],
    ["smallest mean", ({ means }) => formatPoints(Math.min(...means)), "right"],
    ["largest mean", ({ means }) => formatPoints(Math.max(...means)), "right"],
    ["ranks", ({ ranks }) => `${Math.min(...ranks)} to ${Math.max(...ranks)}`, "right"],
  ]);
}

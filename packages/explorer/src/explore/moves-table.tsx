import { exploreAddress } from "../logic/address.js";
import { boundOf, gradeOf } from "../logic/grade.js";
import { formatNumber, gradeWords, isUnknown, moveWords } from "../logic/words.js";
import { MoveLink } from "../ui/move-link.js";
import type { MovesProps } from "../ui/moves.js";
import { Points } from "../ui/worth.js";

/** Every move with its points, what it is worth in all, and what it gives away. */
export function MovesTable({
  spot,
  moves,
  searching,
  onMove,
  onPreview,
}: Required<Omit<MovesProps, "open">> & {
  /** True while a search for better bounds goes on. */
  readonly searching: boolean;
}) {
  const { turn } = spot.node;
  const isSlider = turn === "slider";
  const withChance = moves.some(({ answer }) => typeof answer.expected === "number");
  const columns = [...(isSlider ? ["Earns"] : []), "In all", "Verdict"];
  if (withChance) columns.push("By chance");
  return (
    <table class="moves">
      <caption class="hidden">
        {isSlider ? "Slides" : "Placements"}, best first. Values are points for the slider.
      </caption>
      <thead>
        <tr>
          <th scope="col">{isSlider ? "Slide" : "Placement"}</th>
          {columns.map((name) => (
            <th key={name} scope="col" class={name === "Verdict" ? undefined : "number"}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => (
          <tr key={move.step.name} class={`grade-${gradeOf(move)}`}>
            <th scope="row">
              <MoveLink
                href={exploreAddress({ ...spot, node: move.step.after })}
                onMove={() => onMove(move)}
                onPreview={(shown) => onPreview(shown ? move : undefined)}
              >
                {isSlider ? move.step.name : moveWords(move.step)}
              </MoveLink>
            </th>
            {isSlider && <td class="number">{formatNumber(move.answer.score)}</td>}
            <td class="number total">
              {searching && isUnknown(boundOf(move.answer, move.step.after.board)) ? (
                "…"
              ) : (
                <Points bound={move.total} />
              )}
            </td>
            <td class="verdict">
              {searching && move.verdict === "open" ? "searching …" : gradeWords(turn, move)}
            </td>
            {withChance && (
              <td class="number">
                {typeof move.answer.expected === "number"
                  ? formatNumber(move.answer.score + move.answer.expected)
                  : "–"}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

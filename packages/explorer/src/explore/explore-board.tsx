import {
  applySymmetry,
  emptyCells,
  formatShape,
  formatTiles,
  type Node,
  normalShape,
  opponent,
  type Symmetry,
} from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useSeconds } from "../client/host.js";
import { useResource } from "../client/resource.js";
import type { Answer } from "../data.js";
import { answerAddress, exploreAddress, firstSpot, type Spot } from "../logic/address.js";
import { type Ahead, afterMove, alongLine } from "../logic/ahead.js";
import type { GradedMove } from "../logic/grade.js";
import { nodeWords, sourceWords, stepWords } from "../logic/words.js";
import { BoardView } from "../ui/board.js";
import { Announcer, Trouble } from "../ui/layout.js";
import { Line } from "../ui/line.js";
import { BestArrow, Placements, Slides } from "../ui/moves.js";
import { Palette } from "../ui/palette.js";
import { type Tool, Tools } from "../ui/tools.js";
import { slideKeys, useKeys } from "../ui/use-keys.js";
import { useMoves } from "../ui/use-moves.js";
import { useScripted } from "../ui/use-scripted.js";
import { BoardForm } from "./board-form.js";
import { CellEditor, tilesToSet } from "./editor.js";
import { Headline } from "./headline.js";
import { MovesTable } from "./moves-table.js";
import { useExplorer } from "./use-explorer.js";

const MIRROR: Symmetry = { transpose: false, flipRows: false, flipCols: true };
/** A quarter turn clockwise. */
const TURN: Symmetry = { transpose: true, flipRows: false, flipCols: true };

/** The keys of the page apart from those of its tools, and what they do. */
const KEYS = [
  ["↑ ← ↓ →", "slide (or W A S D)"],
  ["Space", "make the best move"],
  ["+ −", "while setting tiles: raise or lower a tile; 0 empties the cell, arrows move"],
] as const;

/** A board to look at, its moves to make, and its tiles to set. */
export function ExploreBoard({
  first,
  answer,
  heading,
  children,
}: {
  readonly first: Spot;
  /** The answer that came with the page, if one did. */
  readonly answer: Answer | null;
  /** A title, above the board if there is one column, and a paragraph, which is then below it. */
  readonly heading: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const explorer = useExplorer(first);
  const { spot, step, ahead, canUndo, canRedo } = explorer;
  const { node, tiles } = spot;
  const { turn } = node;
  const [preview, setPreview] = useState<GradedMove | undefined>();
  const [editing, setEditing] = useState(false);
  const [brush, setBrush] = useState(2);
  const [refusal, setRefusal] = useState("");

  const stage = useRef<HTMLDivElement>(null);

  const address = answerAddress(spot);
  const seconds = useSeconds();
  const resource = useResource(
    address,
    seconds,
    answer ? { address: answerAddress(first), value: answer } : undefined,
  );
  const found = resource.value;
  // Without scripts there is no search.
  const scripted = useScripted();
  const searching = scripted && !resource.done && resource.failure === undefined;
  const { here, moves, worth } = useMoves(spot, found, ahead);
  const shown = preview && moves.includes(preview) && !editing ? preview : undefined;

  const go = (next: Spot, by?: GradedMove, known?: Ahead) => {
    const shapeOf = ({ board }: Node) => formatShape(normalShape(board));
    if (shapeOf(next.node) !== shapeOf(first.node)) return location.assign(exploreAddress(next));
    setPreview(undefined);
    setRefusal("");
    explorer.go(next, by?.step, known);
  };
  const goTo = (next: Node, known?: Ahead) => go({ node: next, tiles }, undefined, known);
  const make = (move: GradedMove) => {
    // The link that was followed goes with its board.
    stage.current?.focus({ preventScroll: true });
    go({ node: move.step.after, tiles }, move, afterMove(here, move));
  };
  const makeNamed = (name: string) => {
    const move = moves.find(({ step: { name: known } }) => known === name);
    if (move === undefined) return false;
    make(move);
    return true;
  };
  // Images of a board have its value.
  const transform = (symmetry: Symmetry) =>
    goTo({ ...node, board: applySymmetry(node.board, symmetry) }, { lo: here.lo, hi: here.hi });
  const edit = () => {
    // The cell that was chosen goes, and with it the place of Tab.
    if (editing) stage.current?.focus({ preventScroll: true });
    setEditing(!editing);
  };
  const switchTurn = () => goTo({ ...node, turn: opponent(turn) });
  const reset = () => go(firstSpot(formatShape(node.board), tiles));
  const canSwitch = turn === "placer" || emptyCells(node.board).length > 0;
  const tools: readonly Tool[] = [
    { icon: "undo", name: "Undo", keys: "Z", disabled: !canUndo, onClick: () => history.back() },
    { icon: "redo", name: "Redo", keys: "Y", disabled: !canRedo, onClick: () => history.forward() },
    { icon: "reset", name: "Reset", onClick: reset },
    { icon: "mirror", name: "Mirror", keys: "M", onClick: () => transform(MIRROR) },
    { icon: "rotate", name: "Rotate", keys: "R", onClick: () => transform(TURN) },
    { icon: "edit", name: "Set tiles", keys: "E", pressed: editing, onClick: edit },
    { icon: "turn", name: "Change turn", keys: "T", disabled: !canSwitch, onClick: switchTurn },
  ];
  useKeys({
    ...slideKeys((name) => !editing && makeNamed(name)),
    " ": () => moves[0]?.verdict === "best" && make(moves[0]),
  });

  const said = found && !searching ? (step ? stepWords(step, worth) : nodeWords(node, worth)) : "";
  const source = found ? sourceWords(found) : ahead && "the answer for the board before";
  const moveProps = { spot, moves, onMove: make, onPreview: setPreview };
  const late = found === undefined ? "late" : "";
  return (
    <div class="explore">
      {heading}
      <section class="stage" aria-label="Board">
        <div
          class={`around r${node.board.rows} c${node.board.cols} ${late}`}
          ref={stage}
          tabIndex={-1}
        >
          <BoardView board={shown?.step.after.board ?? node.board} kind={shown ? "preview" : ""}>
            {editing && (
              <CellEditor
                {...{ node, brush }}
                onChange={(next) => goTo(next)}
                onRefuse={setRefusal}
              />
            )}
            {!editing && turn === "placer" && <Placements {...moveProps} />}
            {!editing && !shown && turn === "slider" && <BestArrow moves={moves} />}
          </BoardView>
          {!editing && turn === "slider" && <Slides {...moveProps} />}
        </div>
        <Tools tools={tools} keys={KEYS} />
        {editing && (
          <Palette
            name="Tile to set"
            tiles={tilesToSet(node.board, tiles)}
            brush={brush}
            onChoose={setBrush}
          />
        )}
        {refusal !== "" && (
          <p class="error" role="alert">
            {refusal}
          </p>
        )}
      </section>
      <section class="worth" aria-label="Value">
        {resource.failure && <Trouble failure={resource.failure} />}
        <Headline {...{ spot, source, searching, seconds, resource }} answer={here} />
        <BoardForm key={formatTiles(tiles)} spot={spot} onGo={(next) => go(next)} />
        {children}
      </section>
      <section class="facts" aria-label="Moves" aria-busy={searching}>
        {moves.length > 0 && <MovesTable {...moveProps} searching={searching} />}
        {here.line.length > 0 && <h2>A line of best play</h2>}
        <Line
          key={`${address} ${here.line.length}`}
          spot={spot}
          line={here.line}
          open
          onGo={(next, made) => go(next, undefined, alongLine(here, made))}
        />
      </section>
      <Announcer text={said} />
    </div>
  );
}

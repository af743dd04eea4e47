import {
  applySymmetry,
  emptyCells,
  formatShape,
  formatTiles,
  type Node,
  normalShape,
  opponent,
  SYMMETRIES,
  type Symmetry,
} from "@gridlock/game";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { forget, useResource } from "../client/resource.js";
import type { Answer } from "../data.js";
import { answerAddress, exploreAddress, type Spot } from "../logic/address.js";
import { firstSpot } from "../logic/first.js";
import { boundOf, type GradedMove, gradeMoves } from "../logic/grade.js";
import { nodeWords, stepWords } from "../logic/words.js";
import { Announcer } from "../ui/announcer.js";
import { BoardView } from "../ui/board.js";
import { Trouble } from "../ui/trouble.js";
import { SLIDE_KEYS, useKeys } from "../ui/use-keys.js";
import { BestLine } from "./best-line.js";
import { BoardForm } from "./board-form.js";
import { CellEditor, Palette } from "./editor.js";
import { Headline } from "./headline.js";
import { BestArrow, PlacementsInCells, SlidesAround } from "./moves-around.js";
import { MovesTable } from "./moves-table.js";
import { ExploreTools } from "./tools.js";
import { useExplorer } from "./use-explorer.js";

const MIRROR = SYMMETRIES.find((s) => s.flipCols && !s.flipRows && !s.transpose) as Symmetry;
/** A quarter turn clockwise. */
const TURN = SYMMETRIES.find((s) => s.transpose && s.flipCols && !s.flipRows) as Symmetry;

/** An answer with the board that it is about. */
interface Shown {
  readonly spot: Spot;
  readonly answer: Answer;
  readonly moves: readonly GradedMove[];
}

/** Returns the answer that knows more of the value; the second one if both know as much. */
function narrower(a: Answer | undefined, b: Answer | undefined): Answer | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.hi - a.lo < b.hi - b.lo ? a : b;
}

/** A board to look at, its moves to make, and its tiles to set. */
export function ExploreBoard({
  first,
  answer,
}: {
  readonly first: Spot;
  /** The answer that came with the page, if one did. */
  readonly answer: Answer | null;
}) {
  const explorer = useExplorer(first);
  const { spot, step } = explorer;
  const { node, tiles } = spot;
  const [version, setVersion] = useState(0);
  const [preview, setPreview] = useState<GradedMove | undefined>();
  const [editing, setEditing] = useState(false);
  const [brush, setBrush] = useState(2);
  const [refusal, setRefusal] = useState("");

  const stage = useRef<HTMLDivElement>(null);

  const address = answerAddress(spot);
  const resource = useResource(
    address,
    answer ? { address: answerAddress(first), value: answer } : undefined,
    version,
  );
  const latest = useRef<Shown | undefined>(undefined);
  const before = latest.current && answerAddress(latest.current.spot) === address;
  // While a search goes on, what is known so far is shown; what was found before still holds.
  const here =
    resource.value ?? narrower(before ? latest.current?.answer : undefined, resource.partial);
  const searching = resource.value === undefined && resource.failure === undefined;
  const moves = useMemo(() => (here ? gradeMoves(node, here) : []), [node, here]);
  const shown = preview && moves.includes(preview) && !editing ? preview : undefined;

  const searchAgain = () => {
    forget(address);
    setVersion(version + 1);
  };
  // The server searches only briefly for a page.
  useEffect(() => {
    if (answer === null) return;
    const isOpen = answer.moves.some(({ verdict }) => verdict === "open");
    if (answer.value === null || isOpen) searchAgain();
  }, [answer]);

  const go = (next: Spot, by?: GradedMove) => {
    const shapeOf = ({ board }: Node) => formatShape(normalShape(board));
    if (shapeOf(next.node) !== shapeOf(first.node)) return location.assign(exploreAddress(next));
    setPreview(undefined);
    setRefusal("");
    explorer.go(next, by?.step);
  };
  const goTo = (next: Node) => go({ node: next, tiles });
  const make = (move: GradedMove) => {
    // The link that was followed goes with its board.
    stage.current?.focus({ preventScroll: true });
    go({ node: move.step.after, tiles }, move);
  };
  const makeNamed = (name: string) => {
    const move = moves.find(({ step: { name: known } }) => known === name);
    if (move === undefined) return false;
    make(move);
    return true;
  };
  const transform = (symmetry: Symmetry) =>
    goTo({ ...node, board: applySymmetry(node.board, symmetry) });
  const actions = {
    undo: () => explorer.canUndo && explorer.undo(),
    redo: () => explorer.canRedo && explorer.redo(),
    reset: () => go(firstSpot(formatShape(node.board), tiles)),
    mirror: () => transform(MIRROR),
    rotate: () => transform(TURN),
    edit: () => setEditing(!editing),
    switchTurn: () =>
      (node.turn === "placer" || emptyCells(node.board).length > 0) &&
      goTo({ ...node, turn: opponent(node.turn) }),
    best: () => moves[0]?.best === true && make(moves[0]),
  };
  useKeys({
    ...Object.fromEntries(
      Object.entries(SLIDE_KEYS).map(([key, name]) => [key, () => !editing && makeNamed(name)]),
    ),
    " ": actions.best,
    z: actions.undo,
    y: actions.redo,
    m: actions.mirror,
    r: actions.rotate,
    e: actions.edit,
    t: actions.switchTurn,
  });

  const worth = here && boundOf(here, node.board);
  const said = worth && !searching ? (step ? stepWords(step, worth) : nodeWords(node, worth)) : "";
  if (here) latest.current = { spot, answer: here, moves };
  const panel = latest.current;
  const moveProps = here && { spot, moves, onMove: make, onPreview: setPreview };
  return (
    <div class="explore">
      <section class="stage" aria-label="Board">
        <div class="around" ref={stage} tabIndex={-1}>
          <BoardView board={shown?.step.after.board ?? node.board} preview={shown !== undefined}>
            {editing && <CellEditor {...{ node, brush }} onChange={goTo} onRefuse={setRefusal} />}
            {!editing && moveProps && node.turn === "placer" && (
              <PlacementsInCells {...moveProps} />
            )}
            {!editing && !shown && node.turn === "slider" && <BestArrow moves={moves} />}
          </BoardView>
          {!editing && moveProps && node.turn === "slider" && <SlidesAround {...moveProps} />}
        </div>
        <ExploreTools
          {...{ actions, editing, turn: node.turn }}
          canUndo={explorer.canUndo}
          canRedo={explorer.canRedo}
          canPlace={emptyCells(node.board).length > 0}
        />
        {editing && <Palette board={node.board} tiles={tiles} brush={brush} onChoose={setBrush} />}
        {refusal !== "" && (
          <p class="error" role="alert">
            {refusal}
          </p>
        )}
      </section>
      <section class="worth" aria-label="Value" inert={here === undefined && !resource.failure}>
        {resource.failure && <Trouble failure={resource.failure} />}
        {panel && (
          <Headline
            spot={panel.spot}
            answer={panel.answer}
            searching={searching}
            onAgain={searchAgain}
          />
        )}
      </section>
      <section class="enter" aria-label="Another board">
        <BoardForm key={formatTiles(tiles)} spot={spot} onGo={go} />
      </section>
      <section class="facts" aria-label="Moves" inert={here === undefined}>
        {panel && panel.moves.length > 0 && (
          <MovesTable spot={panel.spot} moves={panel.moves} onMove={make} onPreview={setPreview} />
        )}
        {panel && <BestLine spot={panel.spot} answer={panel.answer} onGo={go} />}
      </section>
      <Announcer text={said} />
    </div>
  );
}

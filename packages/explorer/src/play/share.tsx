import { formatShape } from "@gridlock/game";
import { useEffect, useRef, useState } from "preact/hooks";
import { useWholeAddress } from "../client/host.js";
import { gameAddress } from "../logic/address.js";
import { ToolButton } from "../ui/button.js";
import { copied } from "../ui/clipboard.js";
import type { Game } from "./game.js";
import { gameText } from "./game-text.js";
import { writeMoves } from "./record.js";
import type { Seats } from "./seats.js";

/** Buttons that copy a game's address and save the game as text. */
export function Share({ game, seats }: { readonly game: Game; readonly seats: Seats }) {
  const [state, setState] = useState<{ of: Game; shown: "copied" | "field" } | undefined>();
  const field = useRef<HTMLInputElement>(null);
  const whole = useWholeAddress();
  const shown = state?.of === game ? state.shown : undefined;
  useEffect(() => {
    if (shown === "field") field.current?.select();
  }, [shown]);
  const { start, tiles, plies } = game;
  const link = () => {
    const moves = writeMoves(
      tiles,
      plies.map(({ step }) => step),
    );
    return whole(gameAddress({ node: start, tiles }, moves, seats));
  };
  const share = async () =>
    setState({ of: game, shown: (await copied(link())) ? "copied" : "field" });
  const download = () => {
    const url = URL.createObjectURL(
      new Blob([gameText(game, seats, link())], { type: "text/plain" }),
    );
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = `gridlock-${formatShape(start.board)}.txt`;
    anchor.click();
    // The download has begun once the click is handled.
    setTimeout(() => URL.revokeObjectURL(url), 1_000);
  };
  return (
    <div class="share">
      <p class="ways row">
        <ToolButton icon="link" name="Share" onClick={share} />
        <ToolButton icon="down" name="Download" onClick={download} />
        <span class="note" aria-live="polite">
          {shown === "copied" && "Link copied: it shows this game, move by move."}
        </span>
      </p>
      {shown === "field" && (
        <label>
          <span>Copy this link: it shows the game, move by move.</span>
          <input ref={field} type="text" readOnly value={link()} />
        </label>
      )}
    </div>
  );
}

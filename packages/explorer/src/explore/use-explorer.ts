import { useEffect, useState } from "preact/hooks";
import { exploreAddress, readExploreAddress, type Spot } from "../logic/address.js";
import type { Ahead } from "../logic/ahead.js";
import type { Step } from "../logic/moves.js";
import { nodeTitle } from "../logic/words.js";

/** A board that a reader looks at. */
interface Here {
  readonly spot: Spot;
  /** The move that led here, if one did. */
  readonly step?: Step | undefined;
  /** The bounds and the line that the answer for the previous board gives of this one. */
  readonly ahead?: Ahead | undefined;
}

/** Follows a reader from board to board. Each board is an entry of the browser's history. */
export function useExplorer(first: Spot) {
  const [here, setHere] = useState<Here>({ spot: first });
  const { spot } = here;
  const [{ index, last }, setPlace] = useState({ index: 0, last: 0 });

  useEffect(() => {
    const at: number = history.state?.index ?? 0;
    // The address of this page need not name its board, and another page may come back to it.
    history.replaceState({ index: at, here: exploreAddress(first) }, "");
    setPlace({ index: at, last: at });
    const follow = (event: PopStateEvent) => {
      const address = new URL(event.state?.here ?? location.href, document.baseURI);
      setHere({ spot: readExploreAddress(address) ?? first });
      setPlace((place) => ({ ...place, index: event.state?.index ?? place.index }));
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);

  useEffect(() => {
    document.title = `${nodeTitle(spot.node)} · Gridlock`;
  }, [spot]);

  const go = (next: Spot, step?: Step, ahead?: Ahead) => {
    history.pushState({ index: index + 1 }, "", exploreAddress(next));
    setHere({ spot: next, step, ahead });
    setPlace({ index: index + 1, last: index + 1 });
  };
  return { ...here, go, canUndo: index > 0, canRedo: index < last };
}
